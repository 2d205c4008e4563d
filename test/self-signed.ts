import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/**
 * A fresh key and a self-signed certificate for 127.0.0.1, as `openssl req -x509` would make it: Windows has no openssl.
 * Source: RFC 5280, section 4.1.
 */
export function selfSigned(): { key: Buffer; cert: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const body = sequence(
    der(0xa0, der(INTEGER, [2])), // Version 3.
    der(INTEGER, [1, ...randomBytes(15)]),
    ECDSA_WITH_SHA256,
    NAME,
    sequence(time(-DAY_MS), time(DAY_MS)),
    NAME,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(BASIC_CONSTRAINTS, SUBJECT_ALT_NAME)),
  );
  const certificate = sequence(body, ECDSA_WITH_SHA256, der(BIT_STRING, [0], sign("sha256", body, privateKey)));
  const lines = certificate.toString("base64").replace(/.{1,64}/g, "$&\n");
  return {
    key: Buffer.from(privateKey.export({ type: "pkcs8", format: "pem" })),
    cert: Buffer.from(`-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`),
  };
}

const DAY_MS = 86_400_000;

const BOOLEAN = 0x01;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;

/** An ASN.1 value of at most 65,535 bytes. */
function der(tag: number, ...parts: (Uint8Array | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Uint8Array[]): Buffer {
  return der(SEQUENCE, ...parts);
}

function time(fromNowMs: number): Buffer {
  const digits = new Date(Date.now() + fromNowMs).toISOString().replace(/\D/g, "");
  return der(UTC_TIME, Buffer.from(`${digits.slice(2, 14)}Z`));
}

const ECDSA_WITH_SHA256 = sequence(der(OBJECT_ID, [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]));
const COMMON_NAME = der(OBJECT_ID, [0x55, 4, 3]);
const NAME = sequence(der(SET, sequence(COMMON_NAME, der(UTF8_STRING, Buffer.from("plants.test")))));
const TRUE = der(BOOLEAN, [0xff]);
const BASIC_CONSTRAINTS = sequence(der(OBJECT_ID, [0x55, 0x1d, 19]), TRUE, der(OCTET_STRING, sequence(TRUE)));
const IP_ADDRESS = der(0x87, [127, 0, 0, 1]);
const SUBJECT_ALT_NAME = sequence(der(OBJECT_ID, [0x55, 0x1d, 17]), der(OCTET_STRING, sequence(IP_ADDRESS)));

import type { NetworkError, Proof } from "./proof.ts";

/** System calls that make the connection: if one fails, with any error code, nothing was written. */
const BEFORE_SENDING = new Set<unknown>(["connect", "getaddrinfo"]);

/** Codes that prove `unsent` without a system call; the second one, if a proxy closed the connection before the tunnel. */
const UNSENT = new Set<unknown>(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_PRX_CONN"]);

/** Undici's message if a proxy refused the tunnel; the group is for a 4xx. Other errors have the same code. */
const NO_TUNNEL = /^Proxy response \((4)?\d+\) !== 200 when HTTP Tunneling$/;

/**
 * Codes of a certificate (the service's, or a proxy's) that this side refused, and of a peer that does not speak TLS, or no
 * version or protocol that this side offers. Not included: `EPROTO` and the other alerts of TLS, which under TLS 1.3 may
 * arrive after the request was sent.
 */
const TLS_CODE =
  /^(CERT_|UNABLE_TO_|(DEPTH_ZERO_)?SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID$|ERR_SSL_WRONG_VERSION_NUMBER$|ERR_SSL_TLSV1_(ALERT_NO_APPLICATION_PROTOCOL|ALERT_PROTOCOL_VERSION|UNRECOGNIZED_NAME)$|HOSTNAME_MISMATCH$|UND_ERR_PRX_TLS$)/;

/** Undici's code if the application closed the dispatcher before the request. */
const CLOSED = "UND_ERR_CLOSED";

/** What an error of Node or undici proves by its code and system call. */
export function proofOfNode({ code, syscall, message }: NetworkError): Proof {
  if (UNSENT.has(code) || (typeof code === "string" && BEFORE_SENDING.has(syscall))) return "unsent";
  const noTunnel = code === "UND_ERR_ABORTED" && NO_TUNNEL.exec(`${message}`);
  if (noTunnel) return noTunnel[1] ? "unsendable" : "unsent";
  return code === CLOSED || TLS_CODE.test(`${code}`) ? "unsendable" : "nothing";
}

/** Whether Node's `fetch` refused the signal, because a test environment has replaced AbortController by another class. */
export function isSignalRefused(error: unknown): boolean {
  return /\bExpected signal \(/.test(String(error));
}

/**
 * Bytes that are not TLS. Over HTTP/1.1, `fetch` has this code only for the handshake; over HTTP/2, also for what a gateway
 * writes into a connection that carries requests.
 */
export const NOT_TLS = "ERR_SSL_WRONG_VERSION_NUMBER";

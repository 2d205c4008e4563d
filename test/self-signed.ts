import { generate } from "selfsigned";

/** A fresh key and a self-signed certificate for 127.0.0.1, as PEM. Not by openssl, which Windows does not have. */
export async function selfSigned(): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "plants.test" }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] },
    ],
  });
  return { key, cert };
}

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A fresh key and a self-signed certificate for 127.0.0.1. */
export function selfSigned() {
  const folder = mkdtempSync(join(tmpdir(), "runtimes-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const make = ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "1"];
  const subject = ["-subj", "/CN=plants.test", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", [...make, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" });
  const made = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return made;
}

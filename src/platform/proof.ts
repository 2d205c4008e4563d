import { isDeno } from "../transport/resends.ts";

/**
 * What a failed fetch proves of the request.
 *
 * - `unsent`: it never left, and may do so later (refused, no route, no name): sending it again cannot make a second plant.
 * - `unsendable`: it never left, and will not (a certificate that is not trusted).
 * - `refused`: the service had it, and did not process it (HTTP/2).
 * - `nothing`: the service may have it.
 */
export type Proof = "unsent" | "unsendable" | "refused" | "nothing";

/** If a system call failed while it made the connection, nothing was written, for any error code. */
const BEFORE_SENDING = new Set<unknown>(["connect", "getaddrinfo"]);

/** Codes that prove it by themselves. */
const UNSENT = new Set<unknown>(["UND_ERR_CONNECT_TIMEOUT"]);

/** Bun names no system call. */
const UNSENT_ON_BUN = new Set<unknown>([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ConnectionRefused",
  "FailedToOpenSocket",
]);

/**
 * The client's own refusal of a certificate, and a peer that speaks no TLS. Not in it: `EPROTO` and TLS alerts, which
 * under TLS 1.3 may come after the request was sent.
 */
const TLS_CODE =
  /^(CERT_|UNABLE_TO_|(DEPTH_ZERO_)?SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID$|ERR_SSL_WRONG_VERSION_NUMBER$|HOSTNAME_MISMATCH$)/;

/** Undici's word that the application closed it before it was asked. */
const CLOSED = "UND_ERR_CLOSED";

/** The word of createUndiciFetch that HTTP/2 says so. */
const REFUSED = "HTTP2_REQUEST_REFUSED";

interface NetworkError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly hostname?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/**
 * Judges the error of a fetch that was called with `redirect: "manual"`: a copy of it, without cycles. The first link of
 * the chain that has a code decides: what caused a reset proves nothing of the request that was reset.
 *
 * Node has the code in the cause, Bun on the error itself, without a syscall; browsers hide it, and prove nothing.
 *
 * @param url - Where the request went, if a `fetch` of the application's own sent it. It may have sent others first, to
 * log in say: only an error that names this host and port is about this request.
 */
export function proofOf(error: unknown, url?: string): Proof {
  const target = url === undefined ? undefined : new URL(url);
  for (const link of chainOf(error)) {
    if (Array.isArray(link.errors)) return proofOfAll(link.errors, url);
    const proof = proofOfLink(link);
    const isCoded = typeof link.code === "string";
    if (!isCoded && proof === "nothing") continue;
    return target === undefined || isAbout(link, target) ? proof : "nothing";
  }
  return "nothing";
}

/** Whether an error names the host and the port of a URL; a name that was not found has no port. */
function isAbout({ syscall, hostname, address, port }: NetworkError, url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // Only an IP address can be both the host and the address.
  const isHost = hostname === host || address === host;
  return isHost && (port === undefined ? syscall === "getaddrinfo" : `${port}` === (url.port || PORTS[url.protocol]));
}

const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** The code of a network failure, as the runtime words it. */
export function codeOf(error: unknown): string | undefined {
  for (const { code, errors } of chainOf(error)) {
    if (typeof code === "string") return code;
    if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  }
  return undefined;
}

const isBun = "Bun" in globalThis;

/** Happy eyeballs: one address that is not known to be unreachable spoils the proof. */
function proofOfAll(errors: readonly unknown[], url: string | undefined): Proof {
  const proofs = new Set(errors.map((error) => proofOf(error, url)));
  if (proofs.size === 0 || proofs.has("nothing") || proofs.has("refused")) return "nothing";
  return proofs.has("unsent") ? "unsent" : "unsendable";
}

function proofOfLink({ code, syscall, message }: NetworkError): Proof {
  if (UNSENT.has(code) || (typeof code === "string" && BEFORE_SENDING.has(syscall))) return "unsent";
  if (isBun && syscall === undefined && UNSENT_ON_BUN.has(code)) return "unsent";
  if (code === REFUSED) return "refused";
  if (code === CLOSED || TLS_CODE.test(`${code}`)) return "unsendable";
  return isDeno && typeof message === "string" ? proofOfDeno(message) : "nothing";
}

/** Deno gives words alone. They hold only for a Blob body, which keeps Deno from re-sending (denoland/deno#35610). */
function proofOfDeno(message: string): Proof {
  if (!message.includes("client error (Connect)")) return "nothing";
  return /certificate|corrupt message/.test(message) ? "unsendable" : "unsent";
}

function* chainOf(error: unknown): Generator<NetworkError> {
  for (let link = error; typeof link === "object" && link !== null; link = (link as NetworkError).cause) yield link;
}

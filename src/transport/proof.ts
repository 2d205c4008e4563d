/**
 * What a failed fetch proves of the request.
 *
 * - `unsent`: it never left, and may do so later (refused, no route, no name): sending it again cannot make a second plant.
 * - `unsendable`: it never left, and will not (a certificate that is not trusted).
 * - `refused`: the service had it, and did not process it (HTTP/2).
 * - `nothing`: the service may have it.
 */
export type Proof = "unsent" | "unsendable" | "refused" | "nothing";

/** Codes that prove it together with the system call they come from: a read can time out too. */
const UNSENT_IN = /* @__PURE__ */ new Set([
  "getaddrinfo ENOTFOUND",
  "getaddrinfo EAI_AGAIN",
  "connect ECONNREFUSED",
  "connect EHOSTUNREACH",
  "connect ENETUNREACH",
  "connect ETIMEDOUT",
]);

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
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/**
 * Judges the error of a fetch that was called with `redirect: "manual"`: a copy of it, without cycles.
 *
 * Node has the code in the cause, Bun on the error itself, without a syscall; browsers hide it, and prove nothing.
 */
export function proofOf(error: unknown): Proof {
  for (const link of chainOf(error)) {
    if (Array.isArray(link.errors) && link.errors.length > 0) return proofOfAll(link.errors);
    const proof = proofOfLink(link);
    if (proof !== "nothing") return proof;
  }
  return "nothing";
}

/** The code of a network failure, as the runtime words it. */
export function codeOf(error: unknown): string | undefined {
  for (const { code, errors } of chainOf(error)) {
    if (typeof code === "string") return code;
    if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  }
  return undefined;
}

export const isDeno: boolean = "Deno" in globalThis;
const isBun = "Bun" in globalThis;
/** Bun before 1.4 sends a POST again by itself where a reused connection closes: it must reuse none. */
export const isOldBun: boolean = /^(0|1\.[0-3])\./.test(
  String((globalThis as { Bun?: { version?: string } }).Bun?.version),
);

/** Happy eyeballs: one address that is not known to be unreachable spoils the proof. */
function proofOfAll(errors: readonly unknown[]): Proof {
  const proofs = new Set(errors.map(proofOf));
  if (proofs.has("nothing") || proofs.has("refused")) return "nothing";
  return proofs.has("unsent") ? "unsent" : "unsendable";
}

function proofOfLink({ code, syscall, message }: NetworkError): Proof {
  if (UNSENT.has(code) || UNSENT_IN.has(`${syscall} ${code}`)) return "unsent";
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

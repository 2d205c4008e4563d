import { withoutBrackets } from "../checks/base-url.ts";
import { isBun, isDeno } from "./runtime.ts";

/**
 * What a failed `fetch` proves about the request.
 *
 * - `unsent`: it was not sent, and a retry may succeed (connection refused, no route, unknown host).
 * - `unsendable`: it was not sent, and a retry would fail too (an untrusted certificate, a proxy that wants a password).
 * - `refused`: the service received it, and did not process it (HTTP/2).
 * - `nothing`: the service may have received it.
 */
export type Proof = "unsent" | "unsendable" | "refused" | "nothing";

/** System calls that make the connection: if one fails, with any error code, nothing was written. */
const BEFORE_SENDING = new Set<unknown>(["connect", "getaddrinfo"]);

/** Codes that prove `unsent` without a system call; the second one, if a proxy closed the connection before the tunnel. */
const UNSENT = new Set<unknown>(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_PRX_CONN"]);

/** Undici's message if a proxy refused the tunnel; the group is for a 4xx. Other errors have the same code. */
const NO_TUNNEL = /^Proxy response \((4)?\d+\) !== 200 when HTTP Tunneling$/;

/** Codes that prove `unsent` on Bun, whose errors never name a system call. */
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
 * Codes of a certificate (the service's, or a proxy's) that this side refused, and of a peer that does not speak TLS. Not
 * included: `EPROTO` and TLS alerts, which under TLS 1.3 may arrive after the request was sent.
 */
const TLS_CODE =
  /^(CERT_|UNABLE_TO_|(DEPTH_ZERO_)?SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID$|ERR_SSL_WRONG_VERSION_NUMBER$|HOSTNAME_MISMATCH$|UND_ERR_PRX_TLS$)/;

/** Undici's code if the application closed the dispatcher before the request. */
const CLOSED = "UND_ERR_CLOSED";

/** The code of createUndiciFetch if the service refused an HTTP/2 stream. */
const REFUSED = "HTTP2_REQUEST_REFUSED";

interface NetworkError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly hostname?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly path?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/**
 * Judges the error of a `fetch` with `redirect: "manual"`. The first link with a code in the chain of causes decides: the
 * cause of a reset proves nothing about the request that was reset.
 *
 * Node has the code in the cause, Bun on the error itself, without a syscall; browsers hide it.
 *
 * @param error - The error, without cycles.
 * @param sent - The request, if a `fetch` of the application's own sent it. It may send others too, such as a login.
 */
export function proofOf(error: unknown, sent?: SentByOther): Proof {
  for (const link of chainOf(error)) {
    if (Array.isArray(link.errors)) return proofOfAll(link.errors, sent);
    const proof = proofOfLink(link);
    const isCoded = typeof link.code === "string";
    if (!isCoded && proof === "nothing") continue;
    return sent === undefined || isAbout(link, sent) ? proof : "nothing";
  }
  return "nothing";
}

/** A request that a `fetch` of the application's own sent. */
export interface SentByOther {
  readonly url: string;
  /** If true, an error is about it only if it names its host and port; if false, unless it names another. */
  readonly mustBeNamed: boolean;
}

function isAbout(link: NetworkError, { url, mustBeNamed }: SentByOther): boolean {
  const { syscall, hostname, address, port } = link;
  const target = new URL(url);
  const origin = originOf(link, target);
  if (origin !== undefined) return origin === target.origin;
  const host = withoutBrackets(target.hostname);
  const isOtherPort = port !== undefined && `${port}` !== (target.port || PORTS[target.protocol]);
  if (isOtherPort || (hostname !== undefined && hostname !== host)) return false;
  // Only an IP address can be both the host and the address. A name that was not found has no port.
  const isHost = hostname === host || address === host;
  return !mustBeNamed || (isHost && (port !== undefined || syscall === "getaddrinfo"));
}

/** The origin that the failed request was sent to: Bun has its URL on the error, Deno in the message. */
function originOf({ path, message }: NetworkError, { protocol }: URL): string | undefined {
  const [, url, host] = (isDeno && DENO_ADDRESS.exec(`${message}`)) || [];
  const named = isBun ? path : (url ?? (host && `${protocol}//${host}`));
  return typeof named === "string" && URL.canParse(named) ? new URL(named).origin : undefined;
}

/** A URL; or a host and port that the process may not reach (`--allow-net`). */
const DENO_ADDRESS = / for url \((\S*)\): client error|^Requires net access to "([^"]*)"/;

const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** The runtime's code of a network failure. */
export function codeOf(error: unknown): string | undefined {
  for (const { code, errors } of chainOf(error)) {
    if (typeof code === "string") return code;
    if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  }
  return undefined;
}

/** Happy Eyeballs tries several addresses: each failure must prove that nothing was sent. */
function proofOfAll(errors: readonly unknown[], sent: SentByOther | undefined): Proof {
  const proofs = new Set(errors.map((error) => proofOf(error, sent)));
  if (proofs.size === 0 || proofs.has("nothing") || proofs.has("refused")) return "nothing";
  return proofs.has("unsent") ? "unsent" : "unsendable";
}

function proofOfLink({ code, syscall, message }: NetworkError): Proof {
  if (UNSENT.has(code) || (typeof code === "string" && BEFORE_SENDING.has(syscall))) return "unsent";
  const noTunnel = code === "UND_ERR_ABORTED" && NO_TUNNEL.exec(`${message}`);
  if (noTunnel) return noTunnel[1] ? "unsendable" : "unsent";
  if (isBun && syscall === undefined && UNSENT_ON_BUN.has(code)) return "unsent";
  if (code === REFUSED) return "refused";
  if (code === CLOSED || TLS_CODE.test(`${code}`)) return "unsendable";
  return isDeno && typeof message === "string" ? proofOfDeno(message) : "nothing";
}

/** Deno gives only a message, which proves something only if the body is a Blob: Deno may re-send others. */
function proofOfDeno(message: string): Proof {
  if (message.startsWith("Requires net access to")) return "unsendable";
  if (!message.includes("client error (Connect)")) return "nothing";
  return /certificate|corrupt message/.test(message) ? "unsendable" : "unsent";
}

function* chainOf(error: unknown): Generator<NetworkError> {
  for (let link = error; typeof link === "object" && link !== null; link = (link as NetworkError).cause) yield link;
}

import { withoutBrackets } from "../checks/http/base-url.ts";
import { causesOf } from "../checks/thrown.ts";
import type { DispatchWatch } from "./dispatch-watch.ts";
import { isNodeFetch, sourceOf } from "./global-dispatch.ts";
import { isBun, isDeno, WATCHED } from "./recognize-runtime.ts";

/**
 * What a failed `fetch` proves about the request.
 *
 * - `unsent`: it was not sent, and a retry may succeed (connection refused, no route, unknown host).
 * - `unsendable`: it was not sent, and a retry would fail too (an untrusted certificate, a proxy that wants a password).
 * - `unproven`: the service may have received it.
 */
export type Proof = "unsent" | "unsendable" | "unproven";

/**
 * Bytes that are not TLS. Over HTTP/1.1, `fetch` has this code only for the handshake; over HTTP/2, also for what a gateway
 * writes into a connection that carries requests.
 */
const NOT_TLS = "ERR_SSL_WRONG_VERSION_NUMBER";

/**
 * Codes of a certificate (the service's, or a proxy's) that this side refused, and of a peer that does not speak TLS, or no
 * version or protocol that this side offers. Not included: `EPROTO` and the other alerts of TLS, which under TLS 1.3 may
 * arrive after the request was sent.
 */
const TLS_CODE =
  /^(CERT_|UNABLE_TO_|(DEPTH_ZERO_)?SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID$|ERR_SSL_WRONG_VERSION_NUMBER$|ERR_SSL_TLSV1_(ALERT_NO_APPLICATION_PROTOCOL|ALERT_PROTOCOL_VERSION|UNRECOGNIZED_NAME)$|HOSTNAME_MISMATCH$|UND_ERR_PRX_TLS$)/;

/** Codes of Bun, whose errors never name a system call. */
const BUN_CODE = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ConnectionRefused|FailedToOpenSocket)$/;

/** What an error says, in any runtime. */
interface NetworkError {
  readonly code: string | undefined;
  readonly syscall: unknown;
  readonly message: string;
}

/** The signals of a request that was not sent, and what each proves; the first one counts. Any other error proves nothing. */
const SIGNALS: readonly (readonly [proof: Proof, isGiven: (error: NetworkError) => boolean])[] = [
  // A system call that makes the connection: if it fails, with any code, nothing was written.
  ["unsent", ({ code, syscall }) => code !== undefined && (syscall === "connect" || syscall === "getaddrinfo")],
  // The second one, if a proxy closed the connection before the tunnel.
  ["unsent", ({ code }) => code === "UND_ERR_CONNECT_TIMEOUT" || code === "UND_ERR_PRX_CONN"],
  // A proxy refused the tunnel, by a 4xx or by another status.
  ["unsendable", (error) => isTunnelRefused(error) && error.message.includes("(4")],
  ["unsent", isTunnelRefused],
  // The application closed the dispatcher before the request.
  ["unsendable", ({ code }) => code === "UND_ERR_CLOSED"],
  ["unsendable", ({ code }) => TLS_CODE.test(`${code}`)],
  ["unsent", ({ code, syscall }) => isBun && syscall === undefined && BUN_CODE.test(`${code}`)],
  ["unsendable", ({ message }) => isDeno && message.startsWith("Requires net access to")],
  ["unsendable", (error) => isUnconnected(error) && /certificate|corrupt message/.test(error.message)],
  ["unsent", isUnconnected],
];

function isTunnelRefused({ code, message }: NetworkError): boolean {
  return code === "UND_ERR_ABORTED" && /^Proxy response \(\d+\) !== 200 when HTTP Tunneling$/.test(message);
}

/** Errors of Deno have only a message, which proves something only if the body is a Blob. */
function isUnconnected({ message }: NetworkError): boolean {
  return isDeno && message.includes("client error (Connect)");
}

/** A request without a response. */
interface Unanswered {
  /** The error that `fetch` rejected with. */
  readonly error: unknown;
  /** The same error, or a copy of it without tokens. */
  readonly cause: unknown;
  /** The `fetch` that sent it. */
  readonly fetch: object;
  /** The `fetch` of the options, and the URL of the service. */
  readonly settings: { readonly fetch: object | undefined; readonly baseUrl: string };
  /** What undici reported about it, if that is known. */
  readonly watch: DispatchWatch | undefined;
}

/** What the failure of a request proves, by its error and by what undici reported about it. */
export function judgeProof({ error, cause, fetch, settings, watch }: Unanswered): Proof {
  // Errors of Bun and Deno name no host, and so none that another request was sent to.
  const mustBeNamed = settings.fetch !== undefined || isBun || isDeno;
  const proof = proofOf(cause, isOwnFetch(fetch) ? undefined : { url: settings.baseUrl, mustBeNamed });
  const hadBegun = watch?.hadBegun(error);
  // A dispatcher may have tried twice: the failure of the second try proves nothing about the first.
  if (hadBegun) return "unproven";
  if (hadBegun === false && proof === "unproven") return "unsent";
  // What cannot be watched may speak HTTP/2.
  return !watch && codeOf(cause) === NOT_TLS ? "unproven" : proof;
}

/** Whether a `fetch` sends nothing but the request: the runtime's own, or that of this package. */
function isOwnFetch(fetch: object): boolean {
  if (WATCHED in fetch || isNodeFetch(fetch)) return true;
  // A wrapper of Bun's has a source, or the name of a bound function.
  if (isBun)
    return (fetch as { readonly name?: unknown }).name === "fetch" && sourceOf(fetch).includes("[native code]");
  return isDeno && /\blazyFetch\b/.test(sourceOf(fetch));
}

/** A request that a `fetch` of the application's own sent. It may send others too, such as a login. */
interface SentByOther {
  readonly url: string;
  /** If true, an error is about it only if it names its host and port; if false, unless it names another. */
  readonly mustBeNamed: boolean;
}

/**
 * Judges the error of a `fetch` with `redirect: "manual"`. The first link with a code in the chain of causes decides: the
 * cause of a reset proves nothing about the request that was reset.
 *
 * Node has the code in the cause, Bun on the error itself, without a syscall; browsers hide it.
 */
export function proofOf(error: unknown, sent?: SentByOther, isListed = false): Proof {
  for (const link of causesOf(error)) {
    // A list within a list proves nothing; it may be a ring.
    if (Array.isArray(link.errors)) return isListed ? "unproven" : proofOfAll(link.errors, sent);
    const code = typeof link.code === "string" ? link.code : undefined;
    const message = typeof link.message === "string" ? link.message : "";
    const [proof] = SIGNALS.find(([, isGiven]) => isGiven({ code, syscall: link.syscall, message })) ?? [];
    if (!proof && code === undefined) continue;
    return proof && (sent === undefined || isAbout(link, sent)) ? proof : "unproven";
  }
  return "unproven";
}

/** Happy Eyeballs tries several addresses: each failure must prove that nothing was sent. */
function proofOfAll(errors: readonly unknown[], sent: SentByOther | undefined): Proof {
  const proofs = new Set(errors.map((error) => proofOf(error, sent, true)));
  if (proofs.size === 0 || proofs.has("unproven")) return "unproven";
  return proofs.has("unsent") ? "unsent" : "unsendable";
}

function isAbout(
  { syscall, hostname, address, port }: Readonly<Record<string, unknown>>,
  { url, mustBeNamed }: SentByOther,
): boolean {
  const target = new URL(url);
  const host = withoutBrackets(target.hostname);
  const portText = typeof port === "number" ? `${port}` : port;
  const isOtherPort = port !== undefined && portText !== (target.port || PORTS[target.protocol]);
  if (isOtherPort || (hostname !== undefined && hostname !== host)) return false;
  // The address names the host only if the host is an IP address, or localhost. A name that was not found has no port.
  const isThisMachine = host === "localhost" && LOOPBACK.test(`${address}`);
  const isHost = hostname === host || address === host || isThisMachine;
  return !mustBeNamed || (isHost && (port !== undefined || syscall === "getaddrinfo"));
}

const LOOPBACK = /^(?:127(?:\.\d+){3}|::1)$/;
const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** The runtime's code of a network failure. */
export function codeOf(error: unknown): string | undefined {
  for (const { code } of causesOf(error)) if (typeof code === "string") return code;
  return undefined;
}

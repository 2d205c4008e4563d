import { withoutBrackets } from "../checks/http/base-url.ts";
import { causesOf } from "../checks/redaction/causes.ts";
import { isBun, UNSENT_ON_BUN } from "./bun.ts";
import { isDeno, proofOfDeno } from "./deno.ts";
import { proofOfNode } from "./node.ts";
import type { NetworkError, Proof } from "./proof.ts";

/** A request that a `fetch` of the application's own sent. It may send others too, such as a login. */
export interface SentByOther {
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
    if (Array.isArray(link.errors)) return isListed ? "nothing" : proofOfAll(link.errors, sent);
    const proof = proofOfLink(link);
    const isCoded = typeof link.code === "string";
    if (!isCoded && proof === "nothing") continue;
    return sent === undefined || isAbout(link, sent) ? proof : "nothing";
  }
  return "nothing";
}

function proofOfLink(link: NetworkError): Proof {
  if (isBun && link.syscall === undefined && UNSENT_ON_BUN.has(link.code)) return "unsent";
  const proof = proofOfNode(link);
  return proof === "nothing" && isDeno ? proofOfDeno(`${link.message}`) : proof;
}

/** Happy Eyeballs tries several addresses: each failure must prove that nothing was sent. */
function proofOfAll(errors: readonly unknown[], sent: SentByOther | undefined): Proof {
  const proofs = new Set(errors.map((error) => proofOf(error, sent, true)));
  if (proofs.size === 0 || proofs.has("nothing")) return "nothing";
  return proofs.has("unsent") ? "unsent" : "unsendable";
}

function isAbout({ syscall, hostname, address, port }: NetworkError, { url, mustBeNamed }: SentByOther): boolean {
  const target = new URL(url);
  const host = withoutBrackets(target.hostname);
  const isOtherPort = port !== undefined && `${port}` !== (target.port || PORTS[target.protocol]);
  if (isOtherPort || (hostname !== undefined && hostname !== host)) return false;
  // Only an IP address can be both the host and the address. A name that was not found has no port.
  const isHost = hostname === host || address === host;
  return !mustBeNamed || (isHost && (port !== undefined || syscall === "getaddrinfo"));
}

const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** The runtime's code of a network failure. */
export function codeOf(error: unknown): string | undefined {
  for (const { code } of causesOf(error)) if (typeof code === "string") return code;
  return undefined;
}

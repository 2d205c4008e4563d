import { tokenProblem } from "../../src/contract/token.ts";
import type { Rules } from "./check-options.ts";
import type { MockSessionOptions } from "./mock-plant-store.ts";

/** The rules of the options of a session. Each token is checked by {@link checkToken}. */
export const sessionRules: Rules<MockSessionOptions> = {
  tokens: (value) => (Array.isArray(value) ? undefined : "must be an array of tokens"),
};

/**
 * Checks a token. Commas are rejected, because they join several Authorization headers.
 *
 * @throws TypeError that names the option and the rule.
 */
export function checkToken(token: string, name: string): string {
  if (tokenProblem(token) === undefined && !token.includes(",")) return token;
  throw new TypeError(`${name}: must be a non-empty string of visible ASCII characters without spaces or commas`);
}

/** A unique token, long enough for the client to redact it everywhere. */
export function randomToken(prefix: "root" | "session"): string {
  return randomText(prefix, 16);
}

/** A name that nobody can guess: the control API refers to sessions, gates and faults by it. */
export function randomName(kind: "session" | "gate" | "fault"): string {
  return randomText(kind, 8);
}

function randomText(prefix: string, length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return `${prefix}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Whether a token looks like a generated session token. */
export function isSessionToken(token: string): boolean {
  return /^session-[0-9a-f]{32}$/.test(token);
}

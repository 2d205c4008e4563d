import { kindOf } from "../../src/checks/describe.ts";
import type { Rules } from "../../src/checks/rules.ts";
import { tokenProblem } from "../../src/checks/header-rules.ts";
import { throwIfProblem } from "./check-options.ts";
import type { MockSessionOptions } from "./mock-plant-store.ts";

/** The rules of the options of a session. Each token is checked by {@link checkToken}. */
export const sessionRules: Rules<MockSessionOptions> = {
  tokens: (value) => (Array.isArray(value) ? undefined : `must be an array of tokens, not ${kindOf(value)}`),
};

/**
 * Checks a token. Commas are rejected, because they join several Authorization headers.
 *
 * @throws TypeError that names the option and the rule.
 */
export function checkToken(token: string, name: string): string {
  const hasComma = typeof token === "string" && token.includes(",");
  throwIfProblem(name, hasComma ? "must not contain a comma; pass each token by itself" : tokenProblem(token));
  return token;
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

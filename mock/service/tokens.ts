import { tokenProblem } from "../../src/contract/token.ts";

/**
 * A token that one Authorization header can carry: several headers arrive joined by commas.
 *
 * @throws TypeError that names the token's place and the rule.
 */
export function checkToken(token: string, name: string): string {
  if (tokenProblem(token) === undefined && !token.includes(",")) return token;
  throw new TypeError(`${name}: must be a string of visible ASCII characters without spaces and commas, not empty`);
}

/** A token that nobody else has, long enough that the client hides it in every text. */
export function randomToken(prefix: "root" | "session"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `${prefix}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Whether a token has the form of those that are made for sessions. */
export function isSessionToken(token: string): boolean {
  return /^session-[0-9a-f]{32}$/.test(token);
}

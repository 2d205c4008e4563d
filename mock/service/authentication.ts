import { kindOf } from "../../src/checks/describe.ts";
import { tokenProblem } from "../../src/checks/http/header-rules.ts";
import { reasonOf } from "../../src/checks/thrown.ts";
import { type Clock, randomName } from "../time/clock.ts";
import { checkOptions, readVerdict, throwIfProblem } from "./check-options.ts";
import type { MockPlantStoreOptions } from "./mock-options.ts";
import type { Cause } from "./service-reply.ts";

/** Why a token is not accepted, with the message of the response, unless the assumption has it. */
export type Rejection = readonly [cause: Cause, message?: string];

/** The bearer token in an Authorization header, or the rejection of a request that has none. */
export interface Credentials {
  readonly token?: string;
  readonly rejection?: Rejection;
}

const MALFORMED: Rejection = ["invalidToken", "Authorization: must be `Bearer <token>`; the token contains a space"];

/**
 * Reads an Authorization header. Several headers arrive joined by a comma, which no bearer token contains.
 *
 * Source: RFC 6750, section 2.1; the scheme is case-insensitive by RFC 9110, section 11.1.
 */
export function readCredentials(authorization: string | null | undefined): Credentials {
  if (authorization?.includes(",")) return { rejection: ["severalTokens"] };
  const token = /^bearer[ \t]+(.+)/i.exec(authorization ?? "")?.[1];
  if (token === undefined) return { rejection: ["missingToken"] };
  return /\s/.test(token) ? { rejection: MALFORMED } : { token };
}

/**
 * Checks the credentials of a request.
 *
 * @param own - The tokens of the request's session, all valid; the root has none of its own.
 * @param onThrow - Called with the reason if a function in `auth.tokens` fails; the token then counts as invalid.
 */
export function rejectionOf(
  { token, rejection }: Credentials,
  own: ReadonlySet<string> | undefined,
  auth: ReturnType<typeof resolveAuth> | undefined,
  onThrow: (reason: string) => void,
): Rejection | undefined {
  // A late request from an ended session must not count as a request to the root session.
  if (token !== undefined && own === undefined && SESSION_TOKEN.test(token) && !auth?.listed?.has(token)) {
    return ["invalidToken", "Authorization: the session of the bearer token has ended"];
  }
  if (auth === undefined) return undefined;
  if (token === undefined) return rejection;
  if (own?.has(token) || isAccepted(token, auth, onThrow)) return undefined;
  const fix = auth.listed?.size === 0 ? SESSIONS_ONLY : "send a token that the service accepts";
  return ["invalidToken", `Authorization: the bearer token is not valid; ${fix}`];
}

const SESSIONS_ONLY = "auth.tokens is [], so open a session, and send its token";

function isAccepted(
  token: string,
  { isValid }: ReturnType<typeof resolveAuth>,
  onThrow: (reason: string) => void,
): boolean {
  try {
    return readVerdict(isValid(token));
  } catch (error) {
    onThrow(reasonOf(error));
    return false;
  }
}

/**
 * Checks the option `auth`.
 *
 * @returns The token of the root session, the valid tokens if the option lists them, and the check of any other.
 * @throws TypeError that names the token and the rule.
 */
export function resolveAuth(given: Exclude<MockPlantStoreOptions["auth"], boolean>, clock: Clock) {
  const { tokens } = checkOptions(given, AUTH_RULES, { within: "auth" });
  const isList = typeof tokens === "object";
  const listed = isList ? new Set(tokens.map((token, index) => checkToken(token, `auth.tokens[${index}]`))) : undefined;
  const [token = randomToken("root", clock)] = listed ?? [];
  return { token, listed, isValid: isList ? (other: string) => listed?.has(other) : (tokens ?? (() => true)) };
}

/** The same, for a simulated run: the token of its client options is always valid. */
export function acceptingOwnToken(auth: ReturnType<typeof resolveAuth>): ReturnType<typeof resolveAuth> {
  return { ...auth, isValid: (token) => token === auth.token || auth.isValid(token) };
}

const AUTH_RULES = {
  tokens: (value: unknown) =>
    Array.isArray(value) || typeof value === "function"
      ? undefined
      : `must be an array of tokens, or a function, not ${kindOf(value)}`,
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

/** The rules of the options of a session. Each token is checked by {@link checkToken}. */
export const sessionRules = {
  tokens: (value: unknown) => (Array.isArray(value) ? undefined : `must be an array of tokens, not ${kindOf(value)}`),
};

/** A unique token, long enough for the client to redact it everywhere. */
export function randomToken(prefix: "root" | "session", clock: Clock): string {
  return randomName(prefix, 16, clock);
}

/** What a generated token of a session looks like. */
const SESSION_TOKEN = /^session-[0-9a-f]{32}$/;

import { kindOf } from "../../src/checks/describe.ts";
import { tokenProblem } from "../../src/checks/http/header-rules.ts";
import type { Rules } from "../../src/checks/rules.ts";
import { reasonOf } from "../../src/checks/schema.ts";
import { type Clock, randomName } from "../time/clock.ts";
import type { Cause } from "./assumptions.ts";
import { checkOptions, readVerdict, throwIfProblem } from "./check-options.ts";
import type { MockAuthOptions } from "./mock-options.ts";
import type { MockSessionOptions } from "./mock-plant-store.ts";

/** The bearer token in an Authorization header, or why there is none. */
export type Credentials =
  | { readonly token: string; readonly problem?: undefined }
  | { readonly token?: undefined; readonly problem: "missing" | "other" | "several" | "malformed" };

const MISSING: Credentials = { problem: "missing" };
const OTHER: Credentials = { problem: "other" };
const SEVERAL: Credentials = { problem: "several" };
const MALFORMED: Credentials = { problem: "malformed" };

/**
 * Reads an Authorization header. Several headers arrive joined by a comma, which no bearer token contains.
 *
 * Source: RFC 6750, section 2.1; the scheme is case-insensitive by RFC 9110, section 11.1.
 */
export function readCredentials(authorization: string | null | undefined): Credentials {
  if (!authorization) return MISSING;
  if (authorization.includes(",")) return SEVERAL;
  const token = /^bearer[ \t]+(.+)/i.exec(authorization)?.[1];
  if (token === undefined) return OTHER;
  return /\s/.test(token) ? MALFORMED : { token };
}

/** Why a token is not accepted, and the message of the response. */
export type Rejection = readonly [cause: Cause, message: string];

/**
 * Checks the credentials of a request.
 *
 * @param own - The tokens of the request's session, all valid; the root has none of its own.
 * @param onThrow - Called with the reason if a function in `auth.tokens` fails; the token then counts as invalid.
 */
export function rejectionOf(
  { token, problem }: Credentials,
  own: ReadonlySet<string> | undefined,
  auth: ResolvedAuth | undefined,
  onThrow: (reason: string) => void,
): Rejection | undefined {
  // A late request from an ended session must not count as a request to the root session.
  if (token !== undefined && own === undefined && SESSION_TOKEN.test(token) && !auth?.listed?.has(token)) {
    return ["invalidToken", "Authorization: the session of the bearer token has ended"];
  }
  if (auth === undefined) return undefined;
  if (problem !== undefined) return PROBLEMS[problem];
  if (own?.has(token) || isAccepted(token, auth, onThrow)) return undefined;
  const fix = auth.listed?.size === 0 ? SESSIONS_ONLY : "send a token that the service accepts";
  return ["invalidToken", `Authorization: the bearer token is not valid; ${fix}`];
}

const SESSIONS_ONLY = "auth.tokens is [], so open a session, and send its token";

const PROBLEMS: { readonly [Problem in NonNullable<Credentials["problem"]>]: Rejection } = {
  several: ["severalTokens", "Authorization: must be sent once, as `Bearer <token>`; received several values"],
  missing: ["missingToken", "Authorization: is required; send `Bearer <token>`"],
  other: ["missingToken", "Authorization: must be `Bearer <token>`; received another scheme, or no token"],
  malformed: ["invalidToken", "Authorization: must be `Bearer <token>`; the token contains a space"],
};

function isAccepted(token: string, { isValid }: ResolvedAuth, onThrow: (reason: string) => void): boolean {
  try {
    return readVerdict(isValid(token));
  } catch (error) {
    onThrow(reasonOf(error));
    return false;
  }
}

/** The option `auth`, checked. */
export interface ResolvedAuth {
  /** The token of the root session. */
  readonly token: string;
  /** The valid tokens, if the option lists them. */
  readonly listed?: ReadonlySet<string>;
  readonly isValid: (token: string) => boolean;
}

/**
 * Checks the option `auth`.
 *
 * @throws TypeError that names the token and the rule.
 */
export function resolveAuth(given: MockAuthOptions | undefined, clock: Clock): ResolvedAuth {
  const { tokens } = checkOptions(given, AUTH_RULES, { within: "auth" });
  if (tokens === undefined) return { token: randomToken("root", clock), isValid: () => true };
  if (typeof tokens === "function") return { token: randomToken("root", clock), isValid: tokens };
  const listed = new Set(tokens.map((token, index) => checkToken(token, `auth.tokens[${index}]`)));
  const [token = randomToken("root", clock)] = listed;
  return { token, listed, isValid: (other) => listed.has(other) };
}

const AUTH_RULES: Rules<MockAuthOptions> = {
  tokens: (value) =>
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
export const sessionRules: Rules<MockSessionOptions> = {
  tokens: (value) => (Array.isArray(value) ? undefined : `must be an array of tokens, not ${kindOf(value)}`),
};

/** A unique token, long enough for the client to redact it everywhere. */
export function randomToken(prefix: "root" | "session", clock: Clock): string {
  return randomName(prefix, 16, clock);
}

/** What a generated token of a session looks like. */
const SESSION_TOKEN = /^session-[0-9a-f]{32}$/;

/** The labels that replace tokens, so that recorded requests and logs contain none. They are counted up from `token#1`. */
export class TokenLabels {
  readonly #labels = new Map<string, string>();

  /** Always the same for a token, except that all tokens above the limit share one. */
  of(token: string): string {
    const known = this.#labels.get(token);
    if (known !== undefined) return known;
    if (this.#labels.size === MAX_LABELS) return "token#other";
    const label = `token#${this.#labels.size + 1}`;
    this.#labels.set(token, label);
    return label;
  }

  /** The Authorization header with a label in place of each possible secret. */
  hide(authorization: string): string {
    return authorization
      .split(",")
      .map((part) => {
        const [scheme, ...secret] = part.trim().split(/[ \t]+/) as [string, ...string[]];
        if (secret.length > 0) return `${scheme} ${this.of(secret.join(" "))}`;
        return scheme === "" || /^bearer$/i.test(scheme) ? scheme : this.of(scheme);
      })
      .join(", ");
  }
}

/** A long run with a token for each session must not fill the memory. */
const MAX_LABELS = 10_000;

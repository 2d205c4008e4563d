import { reasonOf } from "../../src/checks/schema.ts";
import type { Cause } from "./assumptions.ts";
import type { Credentials } from "./credentials.ts";
import { readVerdict } from "./predicate.ts";
import { type Answer, CONFIGURED } from "./reply.ts";
import type { RequestContext } from "./request-context.ts";
import { isSessionToken } from "./tokens.ts";

/** Rejects a request without a valid bearer token. Runs before the body is read. */
export function authorize(context: RequestContext): Answer | undefined {
  const { credentials, session, options } = context;
  const { token, problem } = credentials;
  // A late request from an ended session must not count as a request to the root session.
  if (
    token !== undefined &&
    session.tokens === undefined &&
    isSessionToken(token) &&
    !options.auth?.tokens?.has(token)
  ) {
    return options.refuse("invalidToken", "Authorization: the session of the bearer token has ended");
  }
  if (options.auth === undefined) {
    if (token === undefined) context.success = CONFIGURED;
    return undefined;
  }
  if (problem !== undefined) return options.refuse(...PROBLEMS[problem]);
  if (session.tokens?.has(token) || isValid(token, context, options.auth.isValid)) return undefined;
  return options.refuse(
    "invalidToken",
    "Authorization: the bearer token is not valid; send a token that the service accepts",
  );
}

const PROBLEMS: { readonly [Problem in NonNullable<Credentials["problem"]>]: readonly [Cause, string] } = {
  several: ["severalTokens", "Authorization: must be sent once, as `Bearer <token>`; received several values"],
  missing: ["missingToken", "Authorization: is required; send `Bearer <token>`"],
  other: ["missingToken", "Authorization: must be `Bearer <token>`; received another scheme, or no token"],
  malformed: ["invalidToken", "Authorization: must be `Bearer <token>`; the token contains a space"],
};

function isValid(token: string, { session }: RequestContext, ask: (token: string) => boolean): boolean {
  try {
    return readVerdict(ask(token));
  } catch (error) {
    session.problems.add(
      `auth.tokens threw${reasonOf(error)}`,
      "fix that function; the mock treated the token as invalid",
    );
    return false;
  }
}

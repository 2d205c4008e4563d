import type { Cause } from "./assumptions.ts";
import type { Credentials } from "./credentials.ts";
import type { Answer } from "./reply.ts";
import { type RequestContext, STATED } from "./request-context.ts";
import { isSessionToken } from "./tokens.ts";

/** Refuses a request without a valid bearer token, before its body is looked at. */
export function authorize(context: RequestContext): Answer | undefined {
  const { credentials, session, options } = context;
  const { token, problem } = credentials;
  // A late request of a session that has ended: it is not one of the root's.
  if (
    token !== undefined &&
    session.tokens === undefined &&
    isSessionToken(token) &&
    !options.auth?.tokens?.has(token)
  ) {
    return options.refuse("invalidToken", "Authorization: the session of the bearer token has ended");
  }
  if (options.auth === undefined) {
    if (token === undefined) context.success = STATED;
    return undefined;
  }
  if (problem !== undefined) return options.refuse(...MALFORMED[problem]);
  if (session.tokens?.has(token) || isValid(token, context, options.auth.isValid)) return undefined;
  return options.refuse(
    "invalidToken",
    "Authorization: the bearer token is not valid; send one that the service knows",
  );
}

const MALFORMED: { readonly [Problem in NonNullable<Credentials["problem"]>]: readonly [Cause, string] } = {
  several: ["severalTokens", "Authorization: must be sent once, as `Bearer <token>`; it has several values"],
  missing: ["missingToken", "Authorization: is required; send `Bearer <token>`"],
  malformed: ["invalidToken", "Authorization: must be `Bearer <token>`; the token has a space in it"],
};

function isValid(token: string, { session }: RequestContext, ask: (token: string) => boolean): boolean {
  try {
    return ask(token) === true;
  } catch (error) {
    session.complaints.add(`auth.tokens threw ${error}`, "fix that function; the token counted as not valid");
    return false;
  }
}

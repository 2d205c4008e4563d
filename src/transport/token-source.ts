import { createRedact, type Redact } from "./redact.ts";
import type { TokenFailure } from "./result.ts";
import type { Scope } from "./scope.ts";

/**
 * Returns the bearer token of a call.
 *
 * The client calls the provider once for each call, and once more after a 401, with the token that the service rejected.
 * Calls that wait for a token at the same time share one pending promise; `signal` is aborted when none of them waits any
 * longer. So all calls of a client must have the same identity: create one client for each user. A token that the
 * provider returns synchronously is not shared.
 *
 * @throws Any error: the call fails with a {@link PlantStoreTokenError} that has it as its cause.
 *
 * @example
 * {@includeCode ../../examples/token-rotation.ts#provider}
 */
export type TokenProvider = (context: {
  /** The token that the service rejected with 401, if that is why the provider is called. */
  rejectedToken?: string;
  /** Aborted when no call waits for the token any longer. */
  signal: AbortSignal;
}) => string | Promise<string>;

/** A token and its place in the order of requests: only a later token can replace it. */
export class IssuedToken {
  readonly type = "token";
  #redact: Redact | undefined;

  constructor(
    readonly value: string,
    readonly order: number,
  ) {}

  /** Redacts this token. Created once, because all calls of a client can share a token. */
  get redact(): Redact {
    this.#redact ??= createRedact([this.value]);
    return this.#redact;
  }
}

/** A token, or the reason why there is none. */
export type TokenResult = IssuedToken | TokenFailure;

/** The source of the tokens of a call. Its promises reject only if the call is stopped. */
export interface TokenSource {
  /** A token for a new call; a promise if it took time, so that the deadline may have passed. */
  issue(scope: Scope): IssuedToken | Promise<TokenResult>;
  /** The token to try after a 401: a new one, or the rejected one if there is no other. */
  replace(rejected: IssuedToken, scope: Scope): TokenResult | Promise<TokenResult>;
}

/** The source of a token that never changes. */
export function fixedToken(value: string): TokenSource {
  const token = new IssuedToken(value, 0);
  const issue = () => token;
  return { issue, replace: issue };
}

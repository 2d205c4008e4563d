import { tokenProblem } from "../contract/token.ts";
import { createRedact, redactCause } from "./redact.ts";
import type { TokenFailure } from "./result.ts";
import type { Scope } from "./scope.ts";

/**
 * Gives the bearer token of a call.
 *
 * It is called once for each create, and once more, with the token that the service refused, after a 401. Calls that
 * wait at the same time share one pending call of it; `signal` is aborted when all of them have left.
 *
 * @throws Whatever it likes: the create fails with a {@link PlantStoreTokenError} that carries it as the cause.
 *
 * @example
 * {@includeCode ../../examples/token-rotation.ts#provider}
 */
export type TokenProvider = (context: {
  /** The token that the service answered with 401, where that is why the provider is asked. */
  rejectedToken?: string;
  /** Aborted when nobody waits for the token any more. */
  signal: AbortSignal;
}) => string | Promise<string>;

/** A token, and how many were asked for before it: only a later one can replace it. */
export interface IssuedToken {
  readonly type: "token";
  readonly value: string;
  readonly order: number;
}

/** A token, or why there is none. */
export type TokenResult = IssuedToken | TokenFailure;

/** Where a call gets its token from. It rejects only if the call is stopped. */
export interface TokenSource {
  /** A token for a new call. */
  issue(scope: Scope): TokenResult | Promise<TokenResult>;
  /** What to try after a 401: another token, or the rejected one where there is none. */
  replace(rejected: IssuedToken, scope: Scope): TokenResult | Promise<TokenResult>;
}

/** A token that never changes. */
export class FixedToken implements TokenSource {
  readonly #token: IssuedToken;

  constructor(value: string) {
    this.#token = { type: "token", value, order: 0 };
  }
  issue(): IssuedToken {
    return this.#token;
  }
  replace(): IssuedToken {
    return this.#token;
  }
}

interface Pending {
  readonly token: Promise<TokenResult>;
  readonly controller: AbortController;
  waiting: number;
}

/** A token provider as many calls at once may use it. */
export class SharedProvider implements TokenSource {
  readonly #provider: TokenProvider;
  /** By the rejected token that is to be replaced; `undefined` for a call that has none yet. */
  readonly #pending = new Map<string | undefined, Pending>();
  #asked = 0;
  #latest: IssuedToken = { type: "token", value: "", order: 0 };

  constructor(provider: TokenProvider) {
    this.#provider = provider;
  }

  issue(scope: Scope): Promise<TokenResult> {
    // A pending replacement is as good, or better: what the provider gives without being told may be the rejected one.
    const pending = [...this.#pending.values()].at(-1);
    return this.#join(pending ?? this.#ask(undefined), scope);
  }

  replace(rejected: IssuedToken, scope: Scope): TokenResult | Promise<TokenResult> {
    // Another call's 401 may have brought a new one already.
    if (this.#latest.value !== rejected.value) return this.#latest;
    return this.#join(this.#pending.get(rejected.value) ?? this.#ask(rejected.value), scope);
  }

  #ask(rejectedToken: string | undefined): Pending {
    const controller = new AbortController();
    const { signal } = controller;
    const order = ++this.#asked;
    const call = async () => this.#provider(rejectedToken === undefined ? { signal } : { rejectedToken, signal });
    const forget = () => {
      if (this.#pending.get(rejectedToken) === pending) this.#pending.delete(rejectedToken);
    };
    const token = call().then(
      (value): TokenResult => {
        forget();
        const problem = tokenProblem(value);
        if (problem) return { type: "token-failure", cause: new TypeError(`The token ${problem}`) };
        const issued: IssuedToken = { type: "token", value, order };
        // The answer to an abandoned call may come after those to later ones.
        if (order > this.#latest.order) this.#latest = issued;
        return issued;
      },
      (error): TokenResult => {
        forget();
        // Whoever joined this call may not know the rejected token, and must not be told it.
        const redact = createRedact(rejectedToken === undefined ? [] : [rejectedToken]);
        return { type: "token-failure", cause: redactCause(error, redact) };
      },
    );
    const pending: Pending = { token, controller, waiting: 0 };
    this.#pending.set(rejectedToken, pending);
    return pending;
  }

  /** Waits for a pending call of the provider; the last one to leave aborts it. */
  #join(pending: Pending, scope: Scope): Promise<TokenResult> {
    pending.waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        pending.waiting--;
        if (pending.waiting === 0) this.#abandon(pending);
        reject(scope.signal.reason);
      };
      scope.signal.addEventListener("abort", leave);
      pending.token.then((token) => {
        scope.signal.removeEventListener("abort", leave);
        resolve(token);
      });
    });
  }

  /** Nobody waits any longer: the next call asks anew. */
  #abandon(pending: Pending): void {
    for (const [key, value] of this.#pending) if (value === pending) this.#pending.delete(key);
    pending.controller.abort();
  }
}

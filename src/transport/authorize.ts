import { tokenProblem } from "../contract/token.ts";
import { createRedact, redactCause } from "./redact.ts";
import type { TokenFailure } from "./result.ts";
import type { Scope } from "./scope.ts";

/**
 * Gives the bearer token of a call.
 *
 * It is called once for each create, and once more, with the token that the service refused, after a 401. Calls that
 * wait at the same time share one pending promise of it; `signal` is aborted when all of them have left. So all calls of
 * a client must have the same identity: make one client for each user. A string that it returns is not shared.
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
  /** The newest token that replaced a rejected one. */
  #replacement: { readonly rejectedToken: string; readonly token: IssuedToken } | undefined;
  /** A provider's failure may show it. */
  #lastValue = "";

  constructor(provider: TokenProvider) {
    this.#provider = provider;
  }

  issue(scope: Scope): TokenResult | Promise<TokenResult> {
    // A pending replacement is as good, or better: what the provider gives without being told may be the rejected one.
    const pending = [...this.#pending.values()].at(-1);
    return pending ? this.#join(pending, scope) : this.#ask(undefined, scope);
  }

  replace(rejected: IssuedToken, scope: Scope): TokenResult | Promise<TokenResult> {
    // Another call's 401 may have brought a new one already. Of any other rejected token it may be another user's.
    const { rejectedToken, token } = this.#replacement ?? {};
    if (token && rejectedToken === rejected.value && token.order > rejected.order) return token;
    const pending = this.#pending.get(rejected.value);
    return pending ? this.#join(pending, scope) : this.#ask(rejected.value, scope);
  }

  /** What the provider returns at once is for this call alone: it may have read who the current user is. */
  #ask(rejectedToken: string | undefined, scope: Scope): TokenResult | Promise<TokenResult> {
    const controller = new AbortController();
    const { signal } = controller;
    const order = ++this.#asked;
    try {
      const given = this.#provider(rejectedToken === undefined ? { signal } : { rejectedToken, signal });
      if (typeof (given as Partial<Promise<string>> | null)?.then !== "function") return this.#issued(given, order);
      const token = Promise.resolve(given).then(
        (value) => this.#settled(pending, rejectedToken, this.#issued(value, order)),
        (error) => this.#settled(pending, rejectedToken, this.#failed(error, rejectedToken)),
      );
      const pending: Pending = { token, controller, waiting: 0 };
      this.#pending.set(rejectedToken, pending);
      return this.#join(pending, scope);
    } catch (error) {
      return this.#failed(error, rejectedToken);
    }
  }

  #issued(value: unknown, order: number): TokenResult {
    const problem = tokenProblem(value);
    if (problem) return { type: "token-failure", cause: new TypeError(`The token ${problem}`) };
    this.#lastValue = value as string;
    return { type: "token", value: this.#lastValue, order };
  }

  /** A caller that joined may not know the rejected token, and must not learn it. */
  #failed(error: unknown, rejectedToken: string | undefined): TokenFailure {
    const known = [rejectedToken, this.#lastValue].filter((token) => token) as string[];
    return { type: "token-failure", cause: redactCause(error, createRedact(known)) };
  }

  #settled(pending: Pending, rejectedToken: string | undefined, result: TokenResult): TokenResult {
    if (this.#pending.get(rejectedToken) === pending) this.#pending.delete(rejectedToken);
    const isNew = rejectedToken !== undefined && result.type === "token" && result.value !== rejectedToken;
    // The answer to an abandoned call may come after those to later ones.
    const isLatest = isNew && result.order > (this.#replacement?.token.order ?? 0);
    if (isLatest) this.#replacement = { rejectedToken, token: result };
    return result;
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

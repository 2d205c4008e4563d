import { tokenProblem } from "../checks/token.ts";
import { createRedact, redactCause } from "./redact.ts";
import type { TokenFailure } from "./result.ts";
import type { Scope } from "./scope.ts";
import { IssuedToken, type TokenProvider, type TokenResult, type TokenSource } from "./token-source.ts";

interface Pending {
  readonly token: Promise<TokenResult>;
  readonly controller: AbortController;
  waiting: number;
}

/** A token provider shared by concurrent calls. */
export class SharedProvider implements TokenSource {
  readonly #provider: TokenProvider;
  /** Keyed by the rejected token to replace; `undefined` for a call that has no token yet. */
  readonly #pending = new Map<string | undefined, Pending>();
  #asked = 0;
  /** The newest token that replaced a rejected one. */
  #replacement: { readonly rejectedToken: string; readonly token: IssuedToken } | undefined;
  /** The last token, kept because a provider's error may contain it. */
  #lastValue: string | undefined;

  constructor(provider: TokenProvider) {
    this.#provider = provider;
  }

  async issue(scope: Scope): Promise<TokenResult> {
    // A pending replacement is at least as good: a first request may return the rejected token.
    const pending = [...this.#pending.values()].at(-1);
    return pending ? this.#join(pending, scope) : this.#ask(undefined, scope);
  }

  replace(rejected: IssuedToken, scope: Scope): TokenResult | Promise<TokenResult> {
    // Another call may already have replaced this token. A replacement of a different token may be another user's.
    const { rejectedToken, token } = this.#replacement ?? {};
    if (token && rejectedToken === rejected.value && token.order > rejected.order) return token;
    const pending = this.#pending.get(rejected.value);
    return pending ? this.#join(pending, scope) : this.#ask(rejected.value, scope);
  }

  /** A token returned synchronously is for this call alone: it may depend on the current user. */
  #ask(rejectedToken: string | undefined, scope: Scope): TokenResult | Promise<TokenResult> {
    const controller = new AbortController();
    const { signal } = controller;
    const order = ++this.#asked;
    try {
      const given = this.#provider({ ...(rejectedToken && { rejectedToken }), signal });
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
    return new IssuedToken(this.#lastValue, order);
  }

  /** Removes the rejected token from the error, because calls that joined may not know it. */
  #failed(error: unknown, rejectedToken: string | undefined): TokenFailure {
    const known = [rejectedToken, this.#lastValue].filter((token) => token) as string[];
    return { type: "token-failure", cause: redactCause(error, createRedact(known)) };
  }

  #settled(pending: Pending, rejectedToken: string | undefined, result: TokenResult): TokenResult {
    this.#forget(pending);
    const isNew = rejectedToken && result.type === "token" && result.value !== rejectedToken;
    // The result of an abandoned request may arrive after later ones.
    const isLatest = isNew && result.order > (this.#replacement?.token.order ?? 0);
    if (isLatest) this.#replacement = { rejectedToken, token: result };
    return result;
  }

  /** Waits for a pending request to the provider; the last call to leave aborts it. */
  #join(pending: Pending, scope: Scope): Promise<TokenResult> {
    pending.waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (--pending.waiting === 0) {
          // The next call starts a new request.
          this.#forget(pending);
          pending.controller.abort();
        }
        reject(scope.signal.reason);
      };
      // The provider itself may have aborted the call that asked it; an aborted signal does not call back.
      if (scope.signal.aborted) return leave();
      scope.signal.addEventListener("abort", leave);
      pending.token.then((token) => {
        scope.signal.removeEventListener("abort", leave);
        resolve(token);
      });
    });
  }

  #forget(pending: Pending): void {
    for (const [key, value] of this.#pending) if (value === pending) this.#pending.delete(key);
  }
}

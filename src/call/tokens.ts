import { isPromise } from "../checks/describe.ts";
import { tokenProblem } from "../checks/http/header-rules.ts";
import { createRedact, type Redact } from "../checks/redaction/redact-text.ts";
import { redactCause } from "../checks/redaction/redact-values.ts";
import type { Deadline } from "./deadline.ts";

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
  readonly kind = "issued";
  #redact: Redact | undefined;

  constructor(
    readonly value: string,
    readonly order: number,
    /** The token that it replaces, if any. */
    readonly rejected?: string,
  ) {}

  /** Redacts both. Created once, because all calls of a client can share a token. */
  get redact(): Redact {
    this.#redact ??= createRedact(this.rejected ? [this.value, this.rejected] : [this.value]);
    return this.#redact;
  }
}

/** The token provider failed. */
export interface TokenFailure {
  readonly kind: "token";
  readonly cause: unknown;
  /** Whether another request to the provider may succeed: not after an invalid token, a mistake of the caller. */
  readonly retryable: boolean;
}

/** A token, or the reason why there is none. */
export type TokenAnswer = IssuedToken | TokenFailure;

/** The source of the tokens of a call. Its promises reject only if the call is stopped. */
export interface TokenSource {
  /**
   * A token for a new call; or, after a 401, the token to try instead of the rejected one, which may be the same.
   *
   * @returns A promise if it may take time.
   */
  get(deadline: Deadline, rejected?: IssuedToken): TokenAnswer | Promise<TokenAnswer>;
}

/** The source of a token that never changes. */
export function fixedToken(value: string): TokenSource {
  const token = new IssuedToken(value, 0);
  return { get: () => token };
}

/** A pending request to the provider, which several calls may wait for. */
interface Pending {
  readonly rejectedToken: string | undefined;
  readonly answer: Promise<TokenAnswer>;
  readonly controller: AbortController;
  /** Lets the time of a test's clock pass. */
  readonly release: (() => void) | undefined;
  waiting: number;
}

/** A token provider, shared by concurrent calls. */
export class ProvidedTokens implements TokenSource {
  #pending: Pending | undefined;
  #asked = 0;
  /** The newest token that replaced a rejected one. */
  #replacement: { readonly rejectedToken: string; readonly token: IssuedToken } | undefined;
  /** The last token, kept because a provider's error may contain it. */
  #lastValue: string | undefined;

  constructor(private readonly provider: TokenProvider) {}

  // Async even if the provider is not, because it may have taken longer than the deadline.
  async get(deadline: Deadline, rejected?: IssuedToken): Promise<TokenAnswer> {
    const { rejectedToken, token } = this.#replacement ?? {};
    // Another call may already have replaced this token. The replacement of a different token may be another user's.
    if (rejected && token && rejectedToken === rejected.value && token.order > rejected.order) return token;
    const pending = this.#pending;
    // For a new call, a pending replacement is at least as good: a first request may return the rejected token.
    const mayJoin = pending && (!rejected || pending.rejectedToken === rejected.value);
    return mayJoin ? this.#join(pending, deadline) : this.#ask(rejected?.value, deadline);
  }

  /** A token returned synchronously is for this call alone: it may depend on the current user. */
  #ask(rejectedToken: string | undefined, deadline: Deadline): TokenAnswer | Promise<TokenAnswer> {
    const controller = new AbortController();
    const { signal } = controller;
    const order = ++this.#asked;
    let fail!: (reason: Error) => void;
    const release = deadline.clock.hold?.("a token provider", (reason) => fail(reason));
    try {
      const given = this.provider({ ...(rejectedToken && { rejectedToken }), signal });
      // Not `instanceof`: zone.js replaces the global Promise, but async functions return the runtime's own.
      if (!isPromise(given)) {
        release?.();
        return this.#issue(given, order, rejectedToken);
      }
      // One promise: another one would delay the request.
      const answer = new Promise<TokenAnswer>((resolve) => {
        fail = (error) => resolve(this.#settled(pending, this.#failed(error, rejectedToken)));
        Promise.resolve(given).then(
          (value) => resolve(this.#settled(pending, this.#issue(value, order, rejectedToken))),
          fail,
        );
      });
      const pending: Pending = { rejectedToken, answer, controller, release, waiting: 0 };
      this.#pending = pending;
      return this.#join(pending, deadline);
    } catch (error) {
      release?.();
      return this.#failed(error, rejectedToken);
    }
  }

  #issue(value: unknown, order: number, rejected: string | undefined): TokenAnswer {
    const problem = tokenProblem(value);
    if (problem) return { kind: "token", cause: new TypeError(`The token ${problem}`), retryable: false };
    this.#lastValue = value as string;
    return new IssuedToken(this.#lastValue, order, rejected);
  }

  /** Removes the tokens that the provider may know from its error: calls that joined may not know them. */
  #failed(error: unknown, rejectedToken: string | undefined): TokenFailure {
    const known = [rejectedToken, this.#lastValue].filter((token) => token !== undefined);
    return { kind: "token", cause: redactCause(error, createRedact(known)), retryable: true };
  }

  #settled(pending: Pending, answer: TokenAnswer): TokenAnswer {
    this.#forget(pending);
    const { rejectedToken } = pending;
    const isReplacement = rejectedToken && answer.kind === "issued" && answer.value !== rejectedToken;
    // The answer to an abandoned request may arrive after later ones.
    const isNewest = isReplacement && answer.order > (this.#replacement?.token.order ?? 0);
    if (isNewest) this.#replacement = { rejectedToken, token: answer };
    return answer;
  }

  /** Waits for a pending request to the provider; the last call to leave aborts it. */
  #join(pending: Pending, { signal }: Deadline): Promise<TokenAnswer> {
    pending.waiting++;
    const leave = () => {
      if (--pending.waiting > 0) return;
      // The next call starts a new request.
      this.#forget(pending);
      pending.controller.abort();
    };
    // The provider itself may have aborted the call that asked it; an aborted signal does not call back.
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave);
    return pending.answer.then((answer) => {
      signal.removeEventListener("abort", leave);
      return answer;
    });
  }

  #forget(pending: Pending): void {
    pending.release?.();
    if (this.#pending === pending) this.#pending = undefined;
  }
}

import { isPromise } from "../checks/describe.ts";
import { tokenProblem } from "../checks/http/header-rules.ts";
import { createRedact, type Redact } from "../checks/redaction/redact-text.ts";
import { redactCause } from "../checks/redaction/redact-values.ts";
import type { Clock } from "./clock.ts";
import type { Deadline } from "./deadline.ts";
import { runHeld } from "./foreign-code.ts";

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

/** A request to the provider, which several calls may wait for. */
interface TokenRequest {
  readonly rejectedToken: string | undefined;
  readonly controller: AbortController;
  waiting: number;
  /** Set as soon as the provider has been called. */
  answer?: Promise<TokenAnswer>;
}

/** A token provider, shared by concurrent calls. */
export class ProvidedTokens implements TokenSource {
  /** The request that other calls may join. */
  #pending: TokenRequest | undefined;
  #asked = 0;
  /** The newest token that replaced a rejected one. */
  #replacement: IssuedToken | undefined;
  /** The last token, kept because a provider's error may contain it. */
  #lastValue: string | undefined;

  constructor(private readonly provider: TokenProvider) {}

  // Async even if the provider is not, because it may have taken longer than the deadline.
  async get(deadline: Deadline, rejected?: IssuedToken): Promise<TokenAnswer> {
    const replacement = this.#replacement;
    // Another call may already have replaced this token. The replacement of a different token may be another user's.
    const isReplaced = rejected && replacement?.rejected === rejected.value && replacement.order > rejected.order;
    if (isReplaced) return replacement;
    const pending = this.#pending;
    // For a new call, a pending replacement is at least as good: a first request may return the rejected token.
    const mayJoin = pending && (!rejected || pending.rejectedToken === rejected.value);
    if (mayJoin) return this.#join(pending, deadline);
    return this.#join({ rejectedToken: rejected?.value, controller: new AbortController(), waiting: 0 }, deadline);
  }

  /** Calls the provider. Never rejects. */
  async #ask(request: TokenRequest, clock: Clock): Promise<TokenAnswer> {
    const { rejectedToken, controller } = request;
    const { signal } = controller;
    const order = ++this.#asked;
    let isShared = false;
    const callProvider = () => {
      const given = this.provider({ ...(rejectedToken && { rejectedToken }), signal });
      // A token returned synchronously is for this call alone: it may depend on the current user.
      isShared = isPromise(given);
      if (isShared) this.#pending = request;
      return given;
    };
    try {
      const value = await runHeld(clock, "a token provider", callProvider, signal);
      const problem = tokenProblem(value);
      if (problem) return { kind: "token", cause: new TypeError(`The token ${problem}`), retryable: false };
      this.#lastValue = value;
      const token = new IssuedToken(value, order, rejectedToken);
      if (isShared) this.#keep(token);
      return token;
    } catch (error) {
      // Calls that joined may not know the tokens that the provider's error may contain.
      const known = [rejectedToken, this.#lastValue].filter((token) => token !== undefined);
      return { kind: "token", cause: redactCause(error, createRedact(known)), retryable: true };
    } finally {
      this.#forget(request);
    }
  }

  /** Keeps a token that replaces a rejected one. The answer to an abandoned request may arrive after later ones. */
  #keep(token: IssuedToken): void {
    const isReplacement = token.rejected && token.value !== token.rejected;
    if (isReplacement && token.order > (this.#replacement?.order ?? 0)) this.#replacement = token;
  }

  /** Waits for the answer to a request; the last call to leave aborts it. */
  async #join(request: TokenRequest, { clock, signal }: Deadline): Promise<TokenAnswer> {
    request.answer ??= this.#ask(request, clock);
    request.waiting++;
    const leave = () => {
      if (--request.waiting > 0) return;
      // The next call starts a new request.
      this.#forget(request);
      request.controller.abort();
    };
    // The provider itself may have aborted the call that asked it; an aborted signal does not call back.
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave);
    const answer = await request.answer;
    signal.removeEventListener("abort", leave);
    return answer;
  }

  #forget(request: TokenRequest): void {
    if (this.#pending === request) this.#pending = undefined;
  }
}

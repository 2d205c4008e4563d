import { expectStream, observeStreams, type RequestTarget } from "./http2.ts";
import { isMock } from "./recognize-runtime.ts";

/** What happens to a request. A dispatcher tells the first four; the last one is the call's, which reports it as not sent. */
type Event = "dispatched" | "hook" | "response" | "failure" | "withdrawal";

/**
 * The states of a request, with the next one after each event. Any other event changes nothing.
 *
 * - `idle`: no dispatcher is known to have received it.
 * - `waiting`: a dispatcher has received it, and has not begun to write it.
 * - `failed`: it failed before that.
 * - `begun`: it may have been written, or was dispatched more than once.
 * - `answered`: the same, and its response has arrived.
 * - `withdrawn`: the call has reported it as not sent. To dispatch or write it now is an error.
 */
const NEXT = {
  idle: { dispatched: "waiting", hook: "begun" },
  waiting: { dispatched: "begun", hook: "begun", failure: "failed", withdrawal: "withdrawn" },
  failed: { dispatched: "begun", hook: "begun", withdrawal: "withdrawn" },
  begun: { response: "answered", withdrawal: "withdrawn" },
  answered: { dispatched: "begun", hook: "begun" },
  withdrawn: {},
} as const satisfies Readonly<Record<string, Partial<Record<Event, string>>>>;

type State = keyof typeof NEXT;

/**
 * Watches the request of one attempt in undici, which calls a hook of the request's handler just before it writes the
 * request. If a trusted dispatcher has not called the hook, nothing was sent; over HTTP/2, a request that was written counts
 * as not sent if the service told that it did not process it.
 *
 * A dispatcher is trusted if it is an Agent of this package, or has called the hook for an earlier request to the same
 * origin, before the response: one of the application's own may swallow the hook, call it late, or send the requests of some
 * origins in another way.
 */
export class DispatchWatch {
  #state: State = "idle";
  #isOwn = false;
  #origin = "";
  /** The origins for which its dispatcher is trusted. */
  #trusted: Set<string> | undefined;
  #error: unknown;
  /** Of a request that may be sent over HTTP/2. */
  #target: RequestTarget | undefined;
  /** Whether the service told over HTTP/2 that it did not process the request. */
  #isUnprocessed: (() => boolean) | undefined;

  /**
   * Called when the request is passed to a dispatcher.
   *
   * @param isOwn - Whether the dispatcher is an Agent of this package, which always calls the hook, and speaks HTTP/1.1.
   */
  enter(dispatcher: object, target: RequestTarget, isOwn = false): void {
    if (isMock(dispatcher)) return;
    this.#throwIfWithdrawn();
    this.#move("dispatched");
    this.#isOwn = isOwn;
    this.#origin = `${target.origin}`;
    this.#trusted = trusted.get(dispatcher) ?? new Set();
    trusted.set(dispatcher, this.#trusted);
    if (isOwn || !this.#origin.startsWith("https:")) return;
    this.#target = target;
    observeStreams();
  }

  /** Called by the hook: the request is about to be written. If it must not be, throws: undici then drops it. */
  begin(): void {
    this.#throwIfWithdrawn();
    // Of a request that is written twice, the second stream proves nothing about the first.
    this.#isUnprocessed = undefined;
    if (this.#state === "waiting" && this.#target) {
      expectStream(this.#target, (isUnprocessed) => {
        this.#isUnprocessed = isUnprocessed;
      });
    }
    this.#move("hook");
    if (this.#isTrusted) return;
    // A dispatcher that calls the hook together with the response had sent the request before.
    queueMicrotask(() => {
      if (this.#state === "begun") this.#trusted?.add(this.#origin);
    });
  }

  /** Called when the response begins. */
  answer(): void {
    this.#move("response");
  }

  /** Called when the dispatcher reports that the request failed. */
  fail(error: unknown): void {
    if (this.#state === "waiting") this.#error = error;
    this.#move("failure");
  }

  /**
   * Whether the service may have received the request of a failed attempt; `undefined` if this is not known.
   *
   * @param error - The error that `fetch` rejected with: the failure of the request, or an error caused by it.
   */
  hadBegun(error: unknown): boolean | undefined {
    if (this.#state === "begun" || this.#state === "answered") return !this.#withdraw();
    if (this.#state !== "failed") return undefined;
    const isOwn = error === this.#error || (error as Error | undefined)?.cause === this.#error;
    return isOwn && this.#withdraw() ? false : undefined;
  }

  /** Called when the call is stopped. Returns whether nothing was sent or processed; if so, nothing will be. */
  stop(): boolean {
    return this.#state !== "failed" && this.#withdraw();
  }

  /** Reports the request as not sent, if that is proven. */
  #withdraw(): boolean {
    const isProven = this.#state === "begun" ? this.#isUnprocessed?.() : this.#isTrusted;
    if (isProven) this.#move("withdrawal");
    return this.#state === "withdrawn";
  }

  get #isTrusted(): boolean {
    return this.#isOwn || (this.#trusted?.has(this.#origin) ?? false);
  }

  #move(event: Event): void {
    const next: Partial<Record<Event, State>> = NEXT[this.#state];
    this.#state = next[event] ?? this.#state;
  }

  #throwIfWithdrawn(): void {
    if (this.#state === "withdrawn") throw new Error("The request was reported as not sent, so it must not be sent");
  }
}

/** The origins for which each dispatcher is known to call the hook before it writes a request. */
const trusted = /* @__PURE__ */ new WeakMap<object, Set<string>>();

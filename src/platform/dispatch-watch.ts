import { isMock, type RequestTarget } from "./recognize-runtime.ts";

/** Loaded before the first request over TLS, without which undici does not speak HTTP/2. */
let http2: typeof import("./http2.ts") | undefined;
let isLoading = false;

/**
 * Watches the request of one attempt in undici. Just before undici writes a request, it calls a hook of the
 * request's handler: if it has not called the hook, nothing was sent.
 */
export class DispatchWatch {
  /**
   * - `idle`: no dispatcher is known to have received the request.
   * - `waiting`: a dispatcher has received it, and has not begun to write it.
   * - `failed`: it failed before that.
   * - `begun`: it may have been written, or was dispatched more than once.
   * - `answered`: the same, and its response has arrived.
   * - `withdrawn`: it was reported as not sent, and must not be written.
   */
  #state: "idle" | "waiting" | "failed" | "begun" | "answered" | "withdrawn" = "idle";
  #isOwn = false;
  #origin = "";
  /** The origins for which its dispatcher is trusted. */
  #trusted: Set<string> | undefined;
  #error: unknown;
  #target: RequestTarget | undefined;
  /** Whether the service told over HTTP/2 that it did not process the request. */
  #isUnprocessed: (() => boolean) | undefined;

  /** Whether the absence of the hook proves something. */
  get isTrusted(): boolean {
    return this.#isOwn || (this.#trusted?.has(this.#origin) ?? false);
  }

  /**
   * Called when the request is passed to a dispatcher.
   *
   * @param isOwn - Whether the dispatcher is an Agent of this package, which always calls the hook, and speaks HTTP/1.1.
   */
  enter(dispatcher: object, target: RequestTarget, isOwn = false): void {
    if (isMock(dispatcher)) return;
    this.#throwIfWithdrawn();
    this.#state = this.#state === "idle" ? "waiting" : "begun";
    this.#isOwn = isOwn;
    this.#origin = `${target.origin}`;
    this.#trusted = trusted.get(dispatcher) ?? new Set();
    trusted.set(dispatcher, this.#trusted);
    if (isOwn || !this.#origin.startsWith("https:")) return;
    this.#target = target;
    if (!isLoading) void loadHttp2();
  }

  /** Called by the hook: the request is about to be written. If it must not be, throws: undici then drops it. */
  begin(): void {
    this.#throwIfWithdrawn();
    // Of a request that is written twice, the second stream proves nothing about the first.
    this.#isUnprocessed = undefined;
    if (this.#state === "waiting" && this.#target) {
      http2?.expectStream(this.#target, (isUnprocessed) => {
        this.#isUnprocessed = isUnprocessed;
      });
    }
    this.#state = "begun";
    // A dispatcher that calls the hook together with the response had sent the request before.
    if (!this.isTrusted) {
      queueMicrotask(() => {
        if (this.#state === "begun") this.#trusted?.add(this.#origin);
      });
    }
  }

  /** Called when the response begins. */
  answer(): void {
    if (this.#state === "begun") this.#state = "answered";
  }

  /** Called when the dispatcher reports that the request failed. */
  fail(error: unknown): void {
    if (this.#state !== "waiting") return;
    this.#state = "failed";
    this.#error = error;
  }

  /**
   * Whether the service may have received the request of a failed attempt; `undefined` if this is not known.
   *
   * @param error - The error that `fetch` rejected with: the failure of the request, or an error caused by it.
   */
  hadBegun(error: unknown): boolean | undefined {
    if (this.#state === "begun" || this.#state === "answered") return !this.#wasRefused();
    if (this.#state !== "failed") return undefined;
    const isOwn = error === this.#error || (error as Error | undefined)?.cause === this.#error;
    return isOwn && this.#withdraw() ? false : undefined;
  }

  /** Called when the call is stopped. Returns whether nothing was sent or processed; if so, nothing will be. */
  stop(): boolean {
    return this.#state === "waiting" ? this.#withdraw() : this.#wasRefused();
  }

  #withdraw(): boolean {
    if (!this.isTrusted) return false;
    this.#state = "withdrawn";
    return true;
  }

  #wasRefused(): boolean {
    if (this.#state !== "begun" || !this.#isUnprocessed?.()) return false;
    this.#state = "withdrawn";
    return true;
  }

  #throwIfWithdrawn(): void {
    if (this.#state === "withdrawn") throw new Error("The request was reported as not sent, so it must not be sent");
  }
}

async function loadHttp2(): Promise<void> {
  isLoading = true;
  http2 = await import("./http2.ts");
}

/**
 * The origins for which each dispatcher is known to call the hook before it writes a request. One of the application's own
 * may swallow the hook, call it late, or send the requests of some origins in another way.
 */
const trusted = /* @__PURE__ */ new WeakMap<object, Set<string>>();

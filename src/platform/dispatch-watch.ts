/**
 * Watches the request of one attempt in undici. Just before undici writes a request it calls a hook of the
 * request's handler: if the hook did not come, nothing was sent.
 */
export class DispatchWatch {
  /**
   * - `idle`: the request was not handed to a dispatcher, as far as is known.
   * - `waiting`: it was, and has not begun.
   * - `failed`: it failed before it began.
   * - `begun`: it may have been written, or was handed in more than once.
   * - `withdrawn`: it is reported as not sent, and must not begin.
   */
  #state: "idle" | "waiting" | "failed" | "begun" | "withdrawn" = "idle";
  #dispatcher: object = this;
  #error: unknown;

  /**
   * The request is handed to a dispatcher.
   *
   * @param isTrusted - Whether the dispatcher is known to call the hook.
   */
  enter(dispatcher: object, isTrusted = false): void {
    if (isMock(dispatcher)) return;
    if (isTrusted) trusted.add(dispatcher);
    if (this.#state === "withdrawn") throw new Error("The request was reported as not sent, and is not sent any more");
    this.#state = this.#state === "idle" ? "waiting" : "begun";
    this.#dispatcher = dispatcher;
  }

  /** The hook came: the request is about to be written. Gives whether it may be. */
  begin(): boolean {
    trusted.add(this.#dispatcher);
    if (this.#state === "withdrawn") return false;
    this.#state = "begun";
    return true;
  }

  /** The dispatcher reports that the request failed. */
  fail(error: unknown): void {
    if (this.#state !== "waiting") return;
    this.#state = "failed";
    this.#error = error;
  }

  /**
   * Whether the request of an attempt that failed had begun; `undefined` if this is not known.
   *
   * @param error - What `fetch` rejected with: the failure of the request, or an error that it caused.
   */
  hadBegun(error: unknown): boolean | undefined {
    if (this.#state === "begun") return true;
    if (this.#state !== "failed") return undefined;
    const isOwn = error === this.#error || (error as Error | undefined)?.cause === this.#error;
    return isOwn && this.#withdraw() ? false : undefined;
  }

  /** The call is stopped from outside. Gives whether nothing was sent; if so, nothing will be. */
  stop(): boolean {
    return this.#state === "waiting" && this.#withdraw();
  }

  #withdraw(): boolean {
    if (!trusted.has(this.#dispatcher)) return false;
    this.#state = "withdrawn";
    return true;
  }
}

/** Dispatchers that call the hook: one of the application's own may swallow it, and then its absence means nothing. */
const trusted = /* @__PURE__ */ new WeakSet<object>();

/** Undici's mocks can fail a request without calling the hook. */
export function isMock(dispatcher: object): boolean {
  return ("isMockActive" in dispatcher && dispatcher.isMockActive === true) || "intercept" in dispatcher;
}

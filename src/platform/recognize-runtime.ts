/** How the runtime, and what a call is sent with, are recognized. */

export const isBun: boolean = "Bun" in globalThis;
export const isDeno: boolean = "Deno" in globalThis;

/** Bun before 1.4 re-sends a POST by itself if a reused connection closes, so the client turns reuse off. */
export const isOldBun: boolean = /^(0|1\.[0-3])\./.test(
  String((globalThis as { Bun?: { version?: string } }).Bun?.version),
);

/**
 * Marks the `fetch` of createUndiciFetch, whose errors are trusted like those of the runtime's own, and which reports to
 * the `DispatchWatch` in `init.dispatcher`. Registered, because client and transport may be of different copies.
 */
export const WATCHED: unique symbol = /* @__PURE__ */ Symbol.for("plant-store-client.watched") as never;

/** Whether a dispatcher is one of undici's mocks. They can fail a request without calling the hook. */
export function isMock(dispatcher: object): boolean {
  return "isMockActive" in dispatcher || "intercept" in dispatcher;
}

export const isBun: boolean = "Bun" in globalThis;
export const isDeno: boolean = "Deno" in globalThis;

/** Bun before 1.4 re-sends a POST by itself if a reused connection closes, so the client turns reuse off. */
export const isOldBun: boolean = /^(0|1\.[0-3])\./.test(
  String((globalThis as { Bun?: { version?: string } }).Bun?.version),
);

/** Whether this is Bun's own `fetch`: a wrapper has a source, or the name of a bound function. */
export function isBunFetch(fetch: object): boolean {
  const { name } = fetch as { readonly name?: unknown };
  return isBun && name === "fetch" && Function.prototype.toString.call(fetch).includes("[native code]");
}

/** Whether this is Deno's own `fetch`, recognized by its source, which a wrapper does not have. */
export function isDenoFetch(fetch: object): boolean {
  return isDeno && /\blazyFetch\b/.test(Function.prototype.toString.call(fetch));
}

/**
 * A request body that Deno sends only once: it re-sends a POST on a reused connection that closes early, unless the body
 * is a Blob (denoland/deno#35610).
 */
export function sendOnce(init: RequestInit): void {
  const { body, headers } = init;
  if (typeof body !== "string") return;
  init.body = new Blob([body], { type: (headers as Record<string, string>)["content-type"] as string });
}

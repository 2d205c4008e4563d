export const isBun: boolean = "Bun" in globalThis;

/** Bun before 1.4 re-sends a POST by itself if a reused connection closes, so the client turns reuse off. */
export const isOldBun: boolean = /^(0|1\.[0-3])\./.test(
  String((globalThis as { Bun?: { version?: string } }).Bun?.version),
);

/** Whether this is Bun's own `fetch`: a wrapper has a source, or the name of a bound function. */
export function isBunFetch(fetch: object): boolean {
  const { name } = fetch as { readonly name?: unknown };
  return isBun && name === "fetch" && Function.prototype.toString.call(fetch).includes("[native code]");
}

/** Codes that prove `unsent` on Bun, whose errors never name a system call. */
export const UNSENT_ON_BUN: ReadonlySet<unknown> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ConnectionRefused",
  "FailedToOpenSocket",
]);

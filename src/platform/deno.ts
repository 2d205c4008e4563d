import type { Proof } from "./proof.ts";

export const isDeno: boolean = "Deno" in globalThis;

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

/** What an error of Deno proves. It has only a message, which proves something only if the body is a Blob. */
export function proofOfDeno(message: string): Proof {
  if (message.startsWith("Requires net access to")) return "unsendable";
  if (!message.includes("client error (Connect)")) return "nothing";
  return /certificate|corrupt message/.test(message) ? "unsendable" : "unsent";
}

export const isBun: boolean = "Bun" in globalThis;
export const isDeno: boolean = "Deno" in globalThis;

/** Bun before 1.4 re-sends a POST by itself if a reused connection closes, so the client turns reuse off. */
export const isOldBun: boolean = /^(0|1\.[0-3])\./.test(
  String((globalThis as { Bun?: { version?: string } }).Bun?.version),
);

/** Whether the runtime's own `fetch` speaks HTTP/1.1 only: Bun's, and that of Node before undici 8. */
export const isHttp1Fetch: boolean =
  isBun || /^[0-7]\./.test(String((globalThis as { process?: NodeJS.Process }).process?.versions?.undici));

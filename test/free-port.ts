import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port of 127.0.0.1 that no program listens on. It is none of those that a system gives out by itself: another test
 * would get one of them before this one is used.
 */
export async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return freePort();
  }
  await new Promise((resolve) => server.close(resolve));
  return port;
}

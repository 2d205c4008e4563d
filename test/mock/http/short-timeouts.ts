import type { Server as HttpServer } from "node:http";
import { Server } from "node:net";
import { onTestFinished, vi } from "vitest";

/** Makes Node's own time limits of servers that start during a test a tenth of a second instead of minutes. */
export function useShortTimeouts(): void {
  const { listen } = Server.prototype;
  const spy = vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...input: unknown[]) {
    const limits: Partial<HttpServer> & { connectionsCheckingInterval: number } = {
      requestTimeout: 100,
      headersTimeout: 50,
      connectionsCheckingInterval: 20,
    };
    Object.assign(this, limits);
    return listen.apply(this, input as Parameters<typeof listen>);
  });
  onTestFinished(() => spy.mockRestore());
}

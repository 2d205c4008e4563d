import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

it("names the globals that its environment lacks, and the fix", async () => {
  const remove = (name: string) => {
    vi.stubGlobal(name, undefined);
    Reflect.deleteProperty(globalThis, name);
  };
  vi.resetModules();
  for (const name of ["TextDecoder", "TextEncoder"]) remove(name);
  const { createMockPlantStore } = await import("../../mock/index.ts");
  // Vitest needs these two to show a stack.
  vi.unstubAllGlobals();
  for (const name of ["Request", "Response", "crypto"]) remove(name);
  expect(() => createMockPlantStore()).toThrow(
    "the mock needs these globals, which are missing here: Request, Response, crypto; " +
      "load polyfills, or use a test environment that keeps those of Node, such as jest-fixed-jsdom, or in Vitest the pool forks",
  );
});

it("a mock on a port closes if timers were replaced before it was loaded", async () => {
  vi.useFakeTimers();
  vi.resetModules();
  const { startMockPlantStore } = await import("../../mock/http.ts");
  const mock = await startMockPlantStore();
  const { hostname, port } = new URL(mock.url);
  // Neither sends a request nor closes its end.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await once(socket, "connect");
  await mock.close();
  vi.useRealTimers();
  socket.destroy();
});

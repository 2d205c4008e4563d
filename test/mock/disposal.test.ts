import { afterAll, expect, it, vi } from "vitest";
import { post } from "./post.ts";

const stop = vi.hoisted(() => vi.fn());
vi.mock("msw/browser", () => ({ setupWorker: () => ({ start: async () => {}, stop }) }));

// A browser without the symbols of disposal. The entry points look for them when they are loaded.
const NativeSymbol = Symbol;
const OlderSymbol = new Proxy((name: string) => NativeSymbol(name), {
  get: (_target, key) => (key === "dispose" || key === "asyncDispose" ? undefined : Reflect.get(NativeSymbol, key)),
});
vi.stubGlobal("Symbol", OlderSymbol);
const { createMockPlantStore } = await import("plant-store-client/mock");
const { setupMockPlantStoreWorker } = await import("plant-store-client/mock/browser");
afterAll(() => vi.unstubAllGlobals());

it("without Symbol.dispose, compiled `using` still ends the mock", async () => {
  expect(Symbol.dispose).toBeUndefined();
  const seen = await (async () => {
    using mock = createMockPlantStore();
    await post(mock, '{"id":1,"name":"Fern"}');
    expect(mock.plants.size).toBe(1);
    return mock;
  })();
  expect(seen.plants.size).toBe(0);
});

it("without Symbol.asyncDispose, compiled `await using` still stops the worker", async () => {
  expect(Symbol.asyncDispose).toBeUndefined();
  await (async () => {
    await using mock = setupMockPlantStoreWorker();
    await mock.start();
    expect(stop).not.toHaveBeenCalled();
  })();
  expect(stop).toHaveBeenCalledOnce();
});

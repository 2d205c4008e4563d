import { afterEach, expect, it, vi } from "vitest";

const withResolvers = Object.getOwnPropertyDescriptor(Promise, "withResolvers");
afterEach(() => {
  vi.doUnmock("msw/node");
  Reflect.deleteProperty(Promise, "withResolvers");
  if (withResolvers) Object.defineProperty(Promise, "withResolvers", withResolvers);
});

it("listen() gives the fix if MSW 3 runs on a version of Node that it does not support", async () => {
  vi.doMock("msw/node", () => ({ setupServer: () => ({ readyState: 0, listen() {}, close() {} }) }));
  const { setupMockPlantStore } = await import("plant-store-client/mock/node");
  const mock = setupMockPlantStore();
  Reflect.deleteProperty(Promise, "withResolvers");
  expect(() => mock.listen()).toThrow(
    "mock.listen(): MSW 3 needs Node 22.12 or later; update Node, or install msw@2.15",
  );
  Object.defineProperty(Promise, "withResolvers", { value: () => {}, configurable: true });
  expect(() => mock.listen()).not.toThrow();
  mock.close();
});

import { afterAll, vi } from "vitest";

// As in a page of React Native or jsdom: no MessageChannel, and no worker_threads either.
const { getBuiltinModule } = process;
vi.stubGlobal("MessageChannel", undefined);
vi.spyOn(process, "getBuiltinModule").mockImplementation((name: string) =>
  name === "node:worker_threads" ? undefined : getBuiltinModule(name),
);
vi.resetModules();
await import("./virtual-time.test.ts");

afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

it("names the globals that its environment lacks, and the fix", async () => {
  vi.resetModules();
  for (const name of ["TextDecoder", "TextEncoder"]) vi.stubGlobal(name, undefined);
  const { createMockPlantStore } = await import("../../mock/index.ts");
  // Vitest needs these two to show a stack.
  vi.unstubAllGlobals();
  for (const name of ["Request", "Response"]) vi.stubGlobal(name, undefined);
  expect(() => createMockPlantStore()).toThrow(
    "the mock needs these globals, which are missing here: Request, Response; " +
      "use a test environment that keeps those of Node, such as jest-fixed-jsdom",
  );
});

import { readFile } from "node:fs/promises";
import { describe, expect, inject, test } from "vitest";
import { run } from "./run.ts";

const { bare } = inject("installed");

describe.each(["esm", "cjs"])("as %s", (format) => {
  const print = async (...flags: string[]) =>
    JSON.parse(await run(bare, process.execPath, [...flags, "printed.mjs", format]));

  test("every class and function has the name under which it is exported", async () => {
    const { names } = await print();
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter(([exported, own]: [string, string]) => exported !== own)).toEqual([]);
  });

  test("util.inspect and stacks show classes by the names of the documentation, and stacks lead to the caller", async () => {
    const { inspected, stack } = await print();
    const message = "POST https://plant-store.test/plants failed: other side closed; ";
    expect(stack).toContain(`PlantStoreConnectionError: ${message}`);
    expect(stack).toMatch(/at async createInApplication \(.*printed\.mjs:\d+:\d+\)/);
    expect(inspected.error).toContain(`PlantStoreConnectionError: ${message}`);
    expect(inspected.config).toMatch(/^PlantStoreConfigError: .*timeoutMs/);
    expect(inspected.client).toBe("PlantStoreClient {}");
    expect(JSON.stringify(inspected)).not.toMatch(/_class|\[PlantStore/);
  });
});

test("a stack of the ES modules under --enable-source-maps names lines of the sources", async () => {
  const { stack } = JSON.parse(await run(bare, process.execPath, ["--enable-source-maps", "printed.mjs", "esm"]));
  const frames = [...stack.matchAll(/at .*plant-store-client[\\/](src[\\/][\w\\/-]+\.ts):(\d+):(\d+)/g)];
  expect(frames.length).toBeGreaterThan(1);
  const code = await Promise.all(
    frames.map(async ([, path = "", line, column]) => {
      const source = new URL(`../../${path.replaceAll("\\", "/")}`, import.meta.url);
      const lines = (await readFile(source, "utf8")).split("\n");
      return lines[Number(line) - 1]?.slice(Number(column) - 1);
    }),
  );
  expect(code[0]).toMatch(/^new PlantStoreConnectionError\(/);
  expect(code[1]).toMatch(/^toError\(/);
});

import { describe, expect, inject, test } from "vitest";
import { run } from "./run.ts";

const { bare, full } = inject("installed");

const node = async (folder: string, ...args: string[]) => JSON.parse(await run(folder, process.execPath, args));
const failure = (folder: string, code: string) =>
  run(folder, process.execPath, ["--input-type=module", "--eval", code]).then(String, String);

const mainJob = {
  plant: { name: "Monstera", tag: "aroid" },
  sent: '{"id":9223372036854775807,"name":"Monstera","tag":"aroid"}',
  kind: "api",
  isOwn: true,
};

describe("with nothing else installed", () => {
  test.each(["esm", "cjs"])("client and mock create a plant as %s", async (format) => {
    expect(await node(bare, "main-job.mjs", format)).toEqual(mainJob);
  });

  test("the client loads only itself and openapi-fetch, and no Node module", async () => {
    expect(await node(bare, "loaded.cjs")).toEqual({
      packages: ["node_modules/openapi-fetch", "node_modules/plant-store-client"],
      builtins: [],
    });
  });

  test.each([
    ["mock/msw", "msw"],
    ["mock/node", "msw"],
    ["undici", "undici"],
  ])("the entry point %s fails with an error that names %s", async (entryPoint, peer) => {
    const specifier = `plant-store-client/${entryPoint}`;
    expect(await failure(bare, `await import("${specifier}")`)).toContain(
      `Cannot find package '${peer}' imported from`,
    );
    expect(await failure(bare, required(specifier))).toContain(
      `Cannot find module '${peer}': ${specifier} needs it; run npm install ${peer}`,
    );
  });
});

describe("in a project with both module systems", () => {
  test("each copy recognizes the errors of the other", async () => {
    const known = { guard: true, base: true, own: true, other: false };
    expect(await node(full, "both-copies.mjs")).toEqual({
      distinct: true,
      esmByCjs: known,
      cjsByEsm: known,
      stranger: { guard: false, base: false, own: false, other: false },
    });
  });

  test("a mock of one copy works with the handlers of the other", async () => {
    expect(await node(full, "esm-mock-cjs-handlers.mjs")).toEqual({
      plant: { name: "Fern" },
      stored: "Fern",
      requests: 1,
    });
  });

  test.each([
    "plant-store-client",
    "plant-store-client/undici",
    "plant-store-client/journal",
    "plant-store-client/mock",
    "plant-store-client/mock/msw",
    "plant-store-client/mock/node",
    "plant-store-client/mock/http",
  ])("%s exports the same from both", async (entryPoint) => {
    const { esm, cjs } = await node(full, "entry-points.mjs", entryPoint);
    expect(esm).toEqual(cjs);
    expect(esm.length).toBeGreaterThan(0);
  });
});

describe("the wrong environment", () => {
  test("Node rejects the entry point for browsers", async () => {
    expect(await failure(full, 'await import("plant-store-client/mock/browser")')).toContain(
      "ERR_PACKAGE_PATH_NOT_EXPORTED",
    );
  });

  test.each(["node", "http"])("a browser's conditions refuse mock/%s", async (entryPoint) => {
    const code = `await import("plant-store-client/mock/${entryPoint}")`;
    const refused = run(full, process.execPath, ["--conditions=browser", "--input-type=module", "--eval", code]);
    await expect(refused).rejects.toThrow("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });
});

test("the contract can be read from the package", async () => {
  const code = `const { readFileSync } = require("node:fs");
    console.log(JSON.stringify(readFileSync(require.resolve("plant-store-client/openapi.yaml"), "utf8").slice(0, 14)))`;
  expect(await node(bare, "--eval", code)).toBe("openapi: 3.1.0");
});

/** Code of an ES module that loads a package as CommonJS does. */
function required(specifier: string): string {
  return `import { createRequire } from "node:module"; createRequire(process.cwd() + "/x.js")("${specifier}")`;
}

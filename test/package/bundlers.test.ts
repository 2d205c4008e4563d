import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { run } from "./run.ts";

const { full } = inject("installed");

describe.each([
  { bundler: "esbuild", platform: "browser" },
  { bundler: "esbuild-es2015", platform: "browser" },
  { bundler: "rollup", platform: "browser" },
  { bundler: "webpack", platform: "browser" },
  { bundler: "vite", platform: "browser" },
  // Wrangler's conditions name the browser too.
  { bundler: "wrangler", platform: "outside-browsers" },
])("bundled as by $bundler", ({ bundler, platform }) => {
  test(`the client brings only itself, its part for a ${platform} and openapi-fetch, and works`, async () => {
    const { file, modules } = JSON.parse(await run(full, process.execPath, ["bundle.mjs", bundler]));

    const packages = modules.map(
      (path: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? "application",
    );
    expect(new Set(packages)).toEqual(new Set(["application", "openapi-fetch", "plant-store-client"]));
    expect(modules.filter((path: string) => /plant-store-client\/dist\/(mock|undici|cli)/.test(path))).toEqual([]);

    const platforms = modules.flatMap((path: string) => /dist\/platform\/([\w-]+)/.exec(path)?.[1] ?? []);
    expect(platforms).toEqual([platform]);

    const text = await readFile(file, "utf8");
    expect(text).not.toMatch(/\bmsw\b|node:|\brequire\(/);

    const sent: string[] = [];
    const fetch = async (url: string, init: RequestInit) => {
      sent.push(`${init.method} ${url} ${init.body}`);
      return Response.json({ name: "Fern" });
    };
    const { create } = await import(pathToFileURL(file).href);
    const plant = await create({ baseUrl: "https://plants.test/v1", token: "secret", fetch }, { id: 7, name: "Fern" });
    expect(plant).toEqual({ name: "Fern" });
    expect(sent).toEqual(['POST https://plants.test/v1/plants {"id":7,"name":"Fern"}']);
  });
});

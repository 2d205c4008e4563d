import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { run } from "./run.ts";

const { full } = inject("installed");

const resolutions = {
  node16: { module: "node16", endings: ["mts", "cts"] },
  nodenext: { module: "nodenext", endings: ["mts", "cts"] },
  bundler: { module: "esnext", endings: ["ts"] },
};
type Resolution = keyof typeof resolutions;

const strict = {
  noEmit: true,
  target: "es2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
};

/** Compiles one fixture as a project of its own. */
async function compile(compiler: string, resolution: Resolution, fixture: string, options: object): Promise<string> {
  const { module, endings } = resolutions[resolution];
  const place = await mkdtemp(join(full, `${fixture}-${compiler}-${resolution}-`));
  for (const ending of endings) await cp(join(full, `${fixture}.ts`), join(place, `${fixture}.${ending}`));
  const compilerOptions = { ...strict, module, moduleResolution: resolution, ...options };
  await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const tools = join(full, "node_modules", compiler);
  const { bin } = JSON.parse(await readFile(join(tools, "package.json"), "utf8"));
  return run(place, process.execPath, [join(tools, bin.tsc), "-p", "."]);
}

describe.concurrent.each(["typescript-5.4", "typescript-5.9", "typescript-6.0", "typescript-7.0"])("%s", (compiler) => {
  describe.each(Object.keys(resolutions) as Resolution[])("with moduleResolution %s", (resolution) => {
    test("compiles the client and the mock, their declarations included, without Node's types", async () => {
      const options = { lib: ["es2022", "dom"], types: [], skipLibCheck: false };
      expect(await compile(compiler, resolution, "types-client", options)).toBe("");
    });

    test("compiles the doors that lean on the types of other packages", async () => {
      const options = { lib: ["es2022", "dom", "dom.iterable"], types: ["node"], skipLibCheck: true };
      expect(await compile(compiler, resolution, "types-msw", options)).toBe("");
    });
  });
});

test("a server compiles the client and the mock with Node's types and without the browser's", async () => {
  const options = { lib: ["es2023"], types: ["node"], skipLibCheck: false };
  expect(await compile("typescript-5.9", "nodenext", "types-client", options)).toBe("");
});

import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { run } from "./run.ts";

const { full } = inject("installed");

const resolutions = {
  // It reads no "exports". TypeScript 6 deprecates it, and 7 no longer has it.
  node10: { module: "commonjs", endings: ["ts"] },
  // As node16, with one more way to load an ES module.
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

/** Compiles one fixture as a separate project. */
async function compile(compiler: string, resolution: Resolution, fixture: string, options: object): Promise<string> {
  const { module, endings } = resolutions[resolution];
  const place = await mkdtemp(join(full, `${fixture}-${compiler}-${resolution}-`));
  for (const ending of endings) await cp(join(full, `${fixture}.ts`), join(place, `${fixture}.${ending}`));
  const compilerOptions = { ...strict, module, moduleResolution: resolution, ...options };
  await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  return tsc(compiler, place, "-p", ".");
}

async function tsc(compiler: string, place: string, ...args: string[]): Promise<string> {
  const tools = join(full, "node_modules", compiler);
  const { bin } = JSON.parse(await readFile(join(tools, "package.json"), "utf8"));
  return run(place, process.execPath, [join(tools, bin.tsc), ...args]);
}

const modern: Resolution[] = ["nodenext", "bundler"];
const compilers = {
  "typescript-5.4": ["node10", ...modern],
  // Between the oldest and the newest ones.
  "typescript-5.9": ["bundler"],
  "typescript-6.0": modern,
  "typescript-7.0": modern,
} satisfies Record<string, Resolution[]>;

describe.concurrent.each(Object.entries(compilers))("%s", (compiler, resolutions) => {
  test("finds every entry point from a project created by its own --init", async () => {
    const place = await mkdtemp(join(full, `init-${compiler}-`));
    await tsc(compiler, place, "--init");
    await cp(join(full, "types-msw.ts"), join(place, "main.ts"));
    expect(await tsc(compiler, place, "-p", ".", "--noEmit")).toBe("");
  });

  test("compiles client and mock without strict, as in a project that Next.js sets up", async () => {
    const options = { lib: ["es2022", "dom"], types: [], strict: false, exactOptionalPropertyTypes: false };
    expect(await compile(compiler, "bundler", "types-client", options)).toBe("");
  });

  test("compiles them with Node's types and without those of browsers", async () => {
    const options = { lib: ["es2020"], types: ["node"], skipLibCheck: false };
    expect(await compile(compiler, "nodenext", "types-client", options)).toBe("");
  });

  // A bundler finds the same declarations as nodenext, and the test without strict checks them.
  test.each(resolutions.filter((resolution) => resolution !== "bundler"))(
    "compiles client and mock, including declarations, without Node's types, with moduleResolution %s",
    async (resolution) => {
      const options = { lib: ["es2022", "dom"], types: [], skipLibCheck: false };
      expect(await compile(compiler, resolution, "types-client", options)).toBe("");
    },
  );

  test.each(resolutions)(
    "compiles the entry points that use the types of other packages, with moduleResolution %s",
    async (resolution) => {
      const options = { lib: ["es2022", "dom", "dom.iterable"], types: ["node"], skipLibCheck: true };
      expect(await compile(compiler, resolution, "types-msw", options)).toBe("");
    },
  );
});

test("typescript-7.0 compiles the sources and the tests", async () => {
  const project = fileURLToPath(new URL("../..", import.meta.url));
  expect(await tsc("typescript-7.0", project, "-p", ".")).toBe("");
});

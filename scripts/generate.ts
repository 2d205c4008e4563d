/**
 * Writes the generated files. With `--check` it only reports stale ones.
 *
 * - `src/contract/openapi.ts`: the types of `openapi.yaml`. An int64 becomes `number | bigint`, because a JavaScript
 *   number alone cannot hold one.
 * - `src/platform/version.ts`: the version of `package.json`, which bundles for browsers do not contain.
 * - `mock/http/console/page-files.ts`: the files of the console as strings, because the mock is published as modules.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const root = new URL("../", import.meta.url);

const int64 = ts.factory.createUnionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword),
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword),
]);

async function contractTypes(): Promise<string> {
  const nodes = await openapiTS(new URL("openapi.yaml", root), {
    transform: (schema) => (schema.format === "int64" ? int64 : undefined),
  });
  return astToString(nodes);
}

async function consoleFiles(): Promise<string> {
  const page = new URL("mock/http/console/page/", root);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("main.ts", page))],
    absWorkingDir: fileURLToPath(root),
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    minify: true,
  });
  const css = await readFile(new URL("console.css", page), "utf8");
  const files = {
    html: (await readFile(new URL("index.html", page), "utf8")).replace(/^ +/gm, ""),
    css: (await transform(css, { loader: "css", minifyWhitespace: true })).code,
    script: outputFiles[0]?.text,
  };
  return Object.entries(files)
    .map(([name, text]) => `export const ${name}: string = ${JSON.stringify(text)};\n`)
    .join("");
}

async function version(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL("package.json", root), "utf8"));
  return `/** The version of this package, for the User-Agent. */\nexport const VERSION = "${manifest.version}";\n`;
}

/**
 * The owner of the repository stands in `repository` of package.json. Where else it stands, which the homepage tells, it
 * is replaced. The links of guides are absolute, because the package contains the guides without what they link to.
 */
async function renameOwner(): Promise<void> {
  const manifest = JSON.parse(await readFile(new URL("package.json", root), "utf8"));
  const owner = new URL(manifest.repository.url.replace("git+", "")).pathname.split("/")[1] as string;
  const former = new URL(manifest.homepage).hostname.split(".", 1)[0] as string;
  if (owner === former) return;
  const folders = [".", "docs", ".github", ".github/ISSUE_TEMPLATE"];
  for (const folder of folders) {
    for (const entry of await readdir(new URL(`${folder}/`, root), { withFileTypes: true })) {
      if (!entry.isFile() || !/\.(md|yml)$|^package\.json$|^CODEOWNERS$/.test(entry.name)) continue;
      const file = new URL(`${folder}/${entry.name}`, root);
      await writeFile(file, (await readFile(file, "utf8")).replaceAll(former, owner));
    }
  }
  console.log(`${former} is ${owner} everywhere.`);
}

const targets = [
  { path: "src/contract/openapi.ts", source: "openapi.yaml", generate: contractTypes },
  { path: "src/platform/version.ts", source: "package.json", generate: version },
  { path: "mock/http/console/page-files.ts", source: "mock/http/console/page", generate: consoleFiles },
];

for (const { path, source, generate } of targets) {
  const generated = `// Generated from ${source} by \`npm run generate\`. Do not edit.\n\n${await generate()}`;
  const target = new URL(path, root);
  if (!process.argv.includes("--check")) await writeFile(target, generated);
  else if ((await readFile(target, "utf8").catch(() => "")) === generated)
    console.log(`${path} is up to date with ${source}.`);
  else {
    console.error(`${path} is stale: run \`npm run generate\` and commit the result.`);
    process.exitCode = 1;
  }
}
if (!process.argv.includes("--check")) await renameOwner();

/**
 * Writes `src/contract/openapi.ts` from `openapi.yaml`; with `--check`, only says whether it is stale.
 * An int64 becomes `number | bigint`: a JavaScript number alone cannot hold one.
 */
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const contract = new URL("../openapi.yaml", import.meta.url);
const target = new URL("../src/contract/openapi.ts", import.meta.url);

const int64 = ts.factory.createUnionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword),
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword),
]);
const nodes = await openapiTS(contract, {
  transform: (schema) => (schema.format === "int64" ? int64 : undefined),
});
const generated = `// Generated from openapi.yaml by \`npm run generate\`. Do not edit.\n\n${astToString(nodes)}`;

if (process.argv.includes("--check")) {
  const current = await readFile(target, "utf8").catch(() => "");
  if (current !== generated) {
    console.error("src/contract/openapi.ts is stale: run `npm run generate` and commit the result.");
    process.exit(1);
  }
  console.log("src/contract/openapi.ts agrees with openapi.yaml.");
} else {
  await writeFile(target, generated);
}

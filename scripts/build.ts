/**
 * Builds what the package holds: `dist/` by tsup, the code of the examples in its declarations, and `llms.txt`.
 */
import { rm, writeFile } from "node:fs/promises";
import { build } from "tsup";
import { includeExamples } from "./include-examples.ts";
import { describePackage } from "./llms.ts";

const root = new URL("../", import.meta.url);
const dist = new URL("dist/", root);

await rm(dist, { recursive: true, force: true });
await build({});
includeExamples(root, dist);
await writeFile(new URL("llms.txt", root), await describePackage(root));

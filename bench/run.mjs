// npm run bench -- [section…] [--quick] [--check]: see README.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { SECTIONS, writeDocs } from "./docs.mjs";
import { build, install } from "./lib/build.mjs";
import { isMet, machine, markdownTable, renderSection, targetTable } from "./lib/report.mjs";

const RESULTS = new URL("results.json", import.meta.url);
const say = (text) => process.stderr.write(`  ${text}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    only: { type: "string" },
    node: { type: "string" },
  },
});
// An exit by signal would leave servers and the stage behind.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

const unknown = positionals.filter((name) => !SECTIONS.includes(name));
if (unknown.length) throw new Error(`unknown section: ${unknown.join(", ")}; known sections: ${SECTIONS.join(", ")}`);

const wanted = positionals.length ? positionals : SECTIONS;
if (!existsSync(new URL("node_modules/esbuild/package.json", import.meta.url))) install();
const sections = await Promise.all(wanted.map((name) => import(`./sections/${name}.mjs`)));
build();

// Printed, not kept.
const isPartial = Boolean(values.quick || values.only || values.node);
const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : {};
const targets = [];
for (const [i, name] of wanted.entries()) {
  const section = sections[i];
  const start = performance.now();
  const outcome = await section.run({
    quick: values.quick,
    only: values.only?.split(","),
    majors: values.node?.split(",").map(Number),
    log: (text) => say(`${name}: ${text}`),
  });
  say(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
  const date = new Date().toISOString().slice(0, 10);
  const result = { title: section.title, date, versions: section.versions?.() ?? "", ...outcome };
  process.stdout.write(`\n${renderSection(result)}\n`);
  targets.push(...outcome.targets);
  if (!isPartial) results[name] = result;
}
if (!isPartial) {
  writeFileSync(RESULTS, `${JSON.stringify({ ...results, machine: machine() }, null, 2)}\n`);
  writeDocs();
}
process.stdout.write(`\n## Targets\n\n${markdownTable(targetTable(targets))}\n`);
if (values.check && !targets.every(isMet)) {
  process.stderr.write(`\nMissed:\n${markdownTable(targetTable(targets.filter((target) => !isMet(target))))}\n`);
  process.exitCode = 1;
}

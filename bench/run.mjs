// npm run bench -- [section…] [--quick] [--write] [--check] [--before FOLDER]: see README.md.
import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { evidencePage, evidenceWith } from "../scripts/evidence.ts";
import { build, install } from "./lib/build.mjs";
import { isMet, renderSection } from "./lib/report.mjs";

const SECTIONS = ["client", "mock", "http", "many", "limits", "restarts", "outages", "kills"];
const say = (text) => process.stderr.write(`  ${text}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    before: { type: "string" },
  },
});
// An exit by signal would leave servers and the stage behind.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

const unknown = positionals.filter((name) => !SECTIONS.includes(name));
if (unknown.length) throw new Error(`unknown section: ${unknown.join(", ")}; known sections: ${SECTIONS.join(", ")}`);
if (!existsSync(new URL("node_modules/ky/package.json", import.meta.url))) install();
build();

const before = values.before && pathToFileURL(`${resolve(values.before)}/`).href;
for (const name of positionals.length ? positionals : SECTIONS) {
  const section = await import(`./sections/${name}.mjs`);
  const start = performance.now();
  const measured = await section.run({ quick: values.quick, before, log: (text) => say(`${name}: ${text}`) });
  say(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
  const text = renderSection({ command: `npm run bench -- ${name}`, ...measured });
  process.stdout.write(`\n## ${section.title}\n\n${text}\n`);
  if (values.write) writeFileSync(evidencePage, evidenceWith(name, text));
  if (values.check && !measured.targets?.every(isMet)) process.exitCode = 1;
}

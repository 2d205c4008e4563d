// One suite, the built package, every runtime. `tsx test/runtimes/run.mjs [part of a name]…`; `--write` writes
// docs/evidence.md.
import installPackages from "../install-packages.ts";
import { runtimes } from "./runtimes.mjs";

installPackages();
const { launch } = await import("./launch.mjs");
const { startService } = await import("./service.mjs");
const { checkPage } = await import("./table.mjs");

const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const isChosen = ({ name }) =>
  names.length === 0 || names.some((part) => name.toLowerCase().includes(part.toLowerCase()));
const chosen = runtimes.filter(isChosen);

const service = await startService();
const columns = chosen.map((runtime) => ({ runtime, results: [] }));
const waiting = columns.values();
// The runtimes mostly wait.
await Promise.all([1, 2, 3].map(runNext));
service.close();

const results = columns.flatMap((column) => column.results.map((result) => ({ runtime: column.runtime, ...result })));
if (chosen.length === runtimes.length) results.push(checkPage(columns, process.argv.includes("--write")));
const failed = results.filter(({ problem }) => problem !== undefined);
for (const { runtime, name, problem } of failed) console.log(`\nFAILED ${runtime?.name ?? ""}: ${name}\n${problem}`);
finish(results.length - failed.length, failed.length || (results.length === 0 ? 1 : 0));

async function runNext() {
  for (const column of waiting) column.results = await resultsOf(() => launch(column.runtime, service.addresses));
}

async function resultsOf(launched) {
  try {
    return await launched();
  } catch (error) {
    return [{ name: "runs the suite", problem: `${error?.stack ?? error}` }];
  }
}

function finish(passed, failed) {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

/*
 * Prints the score of every folder, of `src` and of `mock`, from the reports of both runs. `--survivors [prefix]` lists
 * the surviving mutants. Exits with status 1 if `src` or `mock` is below 90, or if nothing was measured.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

const enough = 90;
const reports = ["reports/mutation.json", "reports/mutation-static.json"].filter(existsSync);

/** The second run covers the mutants that the first one left out. */
const mutants = new Map();
for (const report of reports) {
  for (const [file, { source, mutants: found }] of Object.entries(JSON.parse(readFileSync(report, "utf8")).files)) {
    for (const { location, mutatorName, replacement, status } of found) {
      if (status === "Ignored") continue;
      const { start, end } = location;
      const place = `${file}:${start.line}:${start.column}`;
      const lines = source.split("\n").slice(start.line - 1, end.line);
      mutants.set(`${place}-${end.line}:${end.column} ${mutatorName} ${replacement}`, {
        file,
        status,
        text: `${place} ${mutatorName}: ${lines[0].trim()}  →  ${replacement?.split("\n")[0] ?? ""}`,
      });
    }
  }
}

const noticed = (status) => status === "Killed" || status === "Timeout";
const missed = (status) => status === "Survived" || status === "NoCoverage";

function score(folder, within) {
  const inside = [...mutants.values()].filter(({ file }) => within(file));
  const caught = inside.filter(({ status }) => noticed(status)).length;
  const all = caught + inside.filter(({ status }) => missed(status)).length;
  return { folder, mutants: all, noticed: caught, score: all === 0 ? undefined : (100 * caught) / all };
}

if (![...mutants.values()].some(({ status }) => noticed(status) || missed(status))) {
  console.error("No mutant was measured: run `npm run mutation`, with a pattern that matches files of src or mock.");
  process.exit(1);
}

const survivors = process.argv.indexOf("--survivors");
if (survivors > 0) {
  const prefix = process.argv[survivors + 1] ?? "";
  for (const { file, status, text } of mutants.values()) {
    if (file.startsWith(prefix) && missed(status)) console.log(`${status === "Survived" ? "" : "(no test) "}${text}`);
  }
} else {
  const folders = [...new Set([...mutants.values()].map(({ file }) => dirname(file)))].sort();
  const halves = ["src", "mock"].map((half) => score(`${half}, whole`, (file) => file.startsWith(`${half}/`)));
  const rows = [...folders.map((folder) => score(`\`${folder}\``, (file) => dirname(file) === folder)), ...halves];
  console.log("| folder | mutants | noticed | score |\n|---|---|---|---|");
  for (const { folder, mutants, noticed, score } of rows) {
    console.log(`| ${folder} | ${mutants} | ${noticed} | ${score?.toFixed(1) ?? "–"} |`);
  }
  if (halves.some((half) => half.score < enough)) process.exitCode = 1;
}

// node bench/docs.mjs [--check]: writes what is made from results.json: results.md, the plots, and the marked blocks of
// the pages. With --check it only compares, and fails if something is out of date.
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { barPlot } from "./lib/plots.mjs";
import { isMet, markdownTable, renderSection, round, targetTable } from "./lib/report.mjs";

export const SECTIONS = ["client", "import", "mock", "http", "many", "limits"];
const RESULTS = "results.json";
const PAGES = ["../docs/evidence.md"];

/** Writes each file that is made from the results. */
export function writeDocs() {
  for (const [path, text] of Object.entries(render())) writeFileSync(new URL(path, import.meta.url), text);
}

/** Each file that is made from the results, by its path from this folder. */
function render() {
  const results = JSON.parse(read(RESULTS));
  const pages = PAGES.map((path) => [path, fill(read(path), results)]);
  const images = Object.entries(plots(results)).map(([name, plot]) => [`../docs/images/performance-${name}.svg`, plot]);
  return Object.fromEntries([["results.md", resultsPage(results)], ...pages, ...images]);
}

function read(path) {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

function fill(page, results) {
  return page.replace(/(<!-- bench: (\w+) -->\n).*?(<!-- end -->)/gs, (_, begin, name, end) => {
    return `${begin}\n${block(name, results)}\n\n${end}`;
  });
}

/** The text between two marks: a section by its name, or the summary. */
function block(name, results) {
  if (name === "summary") return summary(results);
  const section = results[name];
  if (!section) return `Not measured yet: \`npm run bench -- ${name}\`.`;
  return section.tables
    .map(({ title, note, ...table }) => `**${title}**${note ? `. ${note}` : ""}\n\n${markdownTable(table)}`)
    .concat(`\`npm run bench -- ${name}\`: ${section.date}. ${section.versions}.`)
    .join("\n\n");
}

/** The figures that matter to a user. */
function summary({ machine, client, import: start, mock, http }) {
  const bar = (name) => client.plots.client.find((candidate) => candidate.name === name).loopback;
  const target = ({ targets }, figure) => targets.find((candidate) => candidate.figure.startsWith(figure)).value;
  const table = {
    columns: ["what", "figure"],
    rows: [
      [
        "time of one `createPlant` (64 at once, loopback, Node 24), relative to `fetch` by hand",
        round(bar("plant-store-client")),
      ],
      ["the same over `createUndiciFetch()`", round(bar("plant-store-client/undici"))],
      [
        "CPU time of import and constructor in Node 24, relative to openapi-fetch's",
        round(target(start, "import and constructor, CPU time to openapi-fetch's, Node 24")),
      ],
      ["CPU time of one create with `mock.fetch`, relative to a stub", round(target(mock, "mock.fetch"))],
      [
        "requests a second of `plant-store-mock`, relative to `node:http` by hand",
        round(target(http, "plant-store-mock to node")),
      ],
      ["start-up of `plant-store-mock`, relative to `node:http` by hand", round(target(http, "the same, start-up"))],
    ],
  };
  return `${markdownTable(table)}\n\n${client.date}, ${machine}. ${client.versions}.`;
}

function resultsPage(results) {
  const measured = SECTIONS.filter((name) => results[name]).map((name) => results[name]);
  const targets = measured.flatMap((section) => section.targets);
  return [
    "# Results",
    `Written by \`npm run bench\`. ${results.machine}.`,
    "## Targets",
    `${targets.filter(isMet).length} of ${targets.length} are met.`,
    markdownTable(targetTable(targets)),
    `${measured.map((section) => renderSection({ ...section, targets: [] })).join("\n\n")}\n`,
  ].join("\n\n");
}

function plots({ client, http }) {
  return {
    client: clientPlot(client.plots.client),
    http: httpPlot(http.plots.requests),
  };
}

function clientPlot(bars) {
  return barPlot({
    title: "Time of one createPlant, 64 at once over loopback",
    subtitle: "Node 24, as a ratio to fetch by hand (dashed); shorter is faster",
    bars: bars.map(({ name, isOurs, loopback }) => ({ name, isOurs, value: loopback })),
  });
}

function httpPlot(bars) {
  return barPlot({
    title: "Requests a second of mock servers, 50 connections",
    subtitle: "as a ratio to node:http by hand (dashed), logarithmic; longer is faster",
    bars,
    isLogarithmic: true,
  });
}

/** Prints each file that is not as the results make it. */
function check() {
  const files = Object.entries(render());
  const stale = files.filter(([path, text]) => read(path) !== text);
  console.log(`${files.length - stale.length} of ${files.length} files are up to date.`);
  for (const [path] of stale) {
    console.error(`${fileURLToPath(new URL(path, import.meta.url))} is out of date: run \`node bench/docs.mjs\`.`);
    process.exitCode = 1;
  }
}

// The path of the program is the real one only in `import.meta`.
if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--check")) check();
  else writeDocs();
}

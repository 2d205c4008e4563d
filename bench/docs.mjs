// node bench/docs.mjs: puts the tables and plots of results.json into docs/performance.md, and the targets into
// targets.md. `npm run bench -- --docs` does it after its run.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { barPlot } from "./lib/plots.mjs";
import { isMet, machine, markdownTable, targetTable } from "./lib/report.mjs";

const PAGES = ["../docs/performance.md", "../docs/many-plants.md", "targets.md"].map(
  (page) => new URL(page, import.meta.url),
);
const IMAGES = new URL("../docs/images/", import.meta.url);
const RESULTS = new URL("results.json", import.meta.url);

/** Renders the page and its plots from the results there are. */
export function writeDocs() {
  const results = JSON.parse(readFileSync(RESULTS, "utf8"));
  mkdirSync(IMAGES, { recursive: true });
  for (const [name, plot] of Object.entries(plots(results))) {
    if (plot) writeFileSync(new URL(`performance-${name}.svg`, IMAGES), plot);
  }
  for (const file of PAGES) {
    const page = readFileSync(file, "utf8");
    const filled = page.replace(/(<!-- bench: (\w+) -->\n).*?(<!-- end -->)/gs, (_, begin, name, end) => {
      return `${begin}\n${block(name, results)}\n\n${end}`;
    });
    writeFileSync(file, filled);
  }
}

/** What stands between the marks: a section by its name, or one of the summaries. */
function block(name, results) {
  if (name === "machine") return `${machine()}.`;
  if (name === "targets") return targetsMet(allTargets(results));
  const section = results[name];
  if (!section) return `Not measured yet: \`npm run bench -- ${name}\`.`;
  return section.tables
    .map(({ title, note, ...table }) => `**${title}**${note ? `. ${note}` : ""}\n\n${markdownTable(table)}`)
    .concat(
      `\`npm run bench -- ${name}\`: ${section.date}${section.quick ? ", a quick run" : ""}. ${section.versions}.`,
    )
    .join("\n\n");
}

function targetsMet(targets) {
  return `${targets.filter(isMet).length} of ${targets.length} are met.\n\n${markdownTable(targetTable(targets))}`;
}

function allTargets(results) {
  return ["client", "size", "import", "mock", "http", "json", "many", "limits"].flatMap(
    (name) => results[name]?.targets ?? [],
  );
}

function plots({ client, http }) {
  return {
    client: client?.plots?.client && clientPlot(client.plots.client),
    http: http?.plots && httpPlot(http.plots.requests),
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

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDocs();

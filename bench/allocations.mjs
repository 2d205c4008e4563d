/*
 * Bytes that one call allocates. Unlike a time, this does not vary on a busy machine, so that a gate can rely on it.
 *
 * node bench/allocations.mjs [--check] [--write] [--node FILE]
 *
 * --check fails if a call allocates more than allocations.json allows; --write records what was measured; --node names
 * the pinned Node, which bench/package.json or the test workspace installs. The package is measured as built: dist.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { bytesOf } from "./lib/allocations.mjs";
import { markdownTable } from "./lib/report.mjs";
import { node } from "./lib/runtimes.mjs";

const PROCESSES = 3;
const RECORD = new URL("allocations.json", import.meta.url);
const url = (path) => new URL(path, import.meta.url).href;
const dist = (file) => url(`../dist/${file}`);

/** What is measured, and how many calls make a batch. The first two are held to 1 %, the others to three times their spread. */
const ROWS = [
  {
    name: "one call of the client",
    module: url("client/call.mjs"),
    options: { client: "plant-store-client", stub: "plain", dist: dist("index.js") },
    calls: 10_000,
    tolerance: 0.01,
  },
  {
    name: "one call over Node's own fetch",
    module: url("allocations/own-fetch.mjs"),
    options: { dist: dist("index.js") },
    calls: 400,
    tolerance: 0.01,
  },
  {
    name: "one plant of createPlants",
    module: url("allocations/create-plants.mjs"),
    options: { dist: dist("index.js") },
    calls: 5,
    perCall: 1000,
  },
  {
    name: "one create of mock.fetch",
    module: url("mock/call.mjs"),
    options: { candidate: "mock-fetch", mock: dist("mock/index.js") },
    calls: 5_000,
  },
  {
    name: "one exchange of MSW",
    module: url("mock/call.mjs"),
    options: {
      candidate: "msw-ours",
      mock: dist("mock/index.js"),
      mockMsw: dist("mock/msw.js"),
      mswNode: import.meta.resolve("msw/node"),
    },
    calls: 500,
  },
  {
    name: "one exchange over HTTP",
    module: url("allocations/http-exchange.mjs"),
    options: { mock: dist("mock/http.js") },
    calls: 5_000,
  },
];

const { values } = parseArgs({
  options: { check: { type: "boolean" }, write: { type: "boolean" }, node: { type: "string" } },
});
const execPath = values.node ?? node(24);
const version = `${execFileSync(execPath, ["--version"])}`.trim();
const recorded = JSON.parse(readFileSync(RECORD, "utf8"));
if (values.check && recorded.node !== version) {
  throw new Error(
    `The figures were recorded on Node ${recorded.node}, and this is ${version}: name that one with --node`,
  );
}

const measured = await measureAll();
if (values.write) record();
const rows = measured.map(({ name, bytes, spread }) => {
  const limit = values.write ? limitOf({ name, bytes, spread }) : recorded.rows[name]?.limit;
  return { name, bytes, spread, limit, isWithin: bytes <= limit };
});
console.log(`Bytes allocated, Node ${version}, least of ${PROCESSES} processes\n`);
console.log(
  markdownTable({
    columns: ["what", "bytes", "spread", "limit", "within"],
    rows: rows.map(({ name, bytes, spread, limit, isWithin }) => [
      name,
      Math.round(bytes),
      `${(spread * 100).toFixed(2)} %`,
      limit ?? "–",
      isWithin ? "yes" : "no",
    ]),
  }),
);
if (values.check && !rows.every(({ isWithin }) => isWithin)) {
  console.error(
    "\nA call allocates more than recorded. Profile it, or record the new figure with --write and say why.",
  );
  process.exitCode = 1;
}

/** As many processes at once as there are processors: what one allocates does not depend on the others. */
async function measureAll() {
  const bytes = new Map(ROWS.map((row) => [row, []]));
  const waiting = ROWS.flatMap((row) => Array(PROCESSES).fill(row));
  const lane = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) bytes.get(row).push(await measure(row));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return ROWS.map((row) => ({ ...row, ...summaryOf(bytes.get(row)) }));
}

async function measure({ perCall = 1, ...candidate }) {
  return (await bytesOf({ ...candidate, execPath })) / perCall;
}

/** The least of several processes, and their spread. */
function summaryOf(all) {
  const bytes = Math.min(...all);
  return { bytes, spread: (Math.max(...all) - bytes) / bytes };
}

function limitOf({ name, bytes, spread }) {
  const { tolerance = Math.max(0.01, 3 * spread) } = ROWS.find((row) => row.name === name);
  return Math.round(bytes * (1 + tolerance));
}

function record() {
  const entries = measured.map((row) => [row.name, { bytes: Math.round(row.bytes), limit: limitOf(row) }]);
  const text = JSON.stringify({ node: version, rows: Object.fromEntries(entries) }, null, 2);
  writeFileSync(RECORD, `${text}\n`);
}

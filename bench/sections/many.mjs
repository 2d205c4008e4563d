import { dist } from "../lib/build.mjs";
import { CPU_OF_CALLER } from "../lib/cpus.mjs";
import { interleave } from "../lib/interleave.mjs";
import { onLoopback } from "../lib/loopback.mjs";
import { round, versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { medianRatio, ratioOverRuns } from "../lib/statistics.mjs";

const CALL = new URL("../many/call.mjs", import.meta.url).href;

const BASELINE = "pool-fetch";
/** Each row: its name, what many/call.mjs calls it, and whether it takes the package of before. */
const ROWS = [
  { name: "pool by hand over `fetch`, with a deadline", runner: BASELINE },
  { name: "**createPlants**", runner: "create-plants" },
  { name: "createPlants, before", runner: "create-plants", isBefore: true },
  { name: "pool by hand over undici.request, with a deadline", runner: "pool-undici" },
  { name: "**createPlants, undici entry point**", runner: "create-plants-undici" },
  { name: "createPlants, undici entry point, before", runner: "create-plants-undici", isBefore: true },
];
const CONCURRENCIES = [1, 8, 64, 256];

export const title = "Many: createPlants over a list";

export async function run({ quick, before, log }) {
  const effort = quick ? { plants: 5_000, runs: 1, rounds: 5 } : { plants: 200_000, runs: 5, rounds: 8 };
  const rows = ROWS.filter(({ isBefore }) => before || !isBefore);
  const speed = {};
  await onLoopback(async (baseUrl) => {
    for (const concurrency of CONCURRENCIES) {
      log(`${effort.plants} plants, ${concurrency} at once`);
      speed[concurrency] = await measure(rows, { baseUrl, concurrency, before, quick, ...effort });
    }
  });
  const timesOf = (concurrency, name) => speed[concurrency].get(name);
  const base = (concurrency) => timesOf(concurrency, ROWS[0].name);
  const cell = (concurrency, name) => {
    const { wall, cpu } = timesOf(concurrency, name);
    const plants = 1 / medianRatio(wall, base(concurrency).wall);
    return `${round(plants)} (${round(medianRatio(cpu, base(concurrency).cpu))})`;
  };
  const over = (row, pool) => {
    const [own, byHand] = [row, pool].map((index) => timesOf(64, ROWS[index].name).wall);
    return ratioOverRuns(own, byHand, effort.runs);
  };
  return {
    note: `Plants a second, as a ratio to a pool over \`fetch\` (${effort.plants.toLocaleString("en")} plants); in brackets CPU time of a plant, as a ratio to the same.`,
    columns: ["how", ...CONCURRENCIES.map((concurrency) => `${concurrency} at once`)],
    rows: rows.map(({ name }) => [name, ...CONCURRENCIES.map((concurrency) => cell(concurrency, name))]),
    targets: [
      { figure: "createPlants at 64, time to a pool by hand over fetch with a deadline", atMost: 1.1, ...over(1, 0) },
      { figure: "the same over undici, to a pool over undici.request", atMost: 1.2, ...over(4, 3) },
    ],
    versions: versionsOf(["undici"]),
  };
}

function measure(rows, { baseUrl, concurrency, before, quick, plants, runs, rounds }) {
  const slice = plants / rounds / runs;
  const candidates = rows.map(({ name, runner, isBefore }) => ({
    name,
    module: CALL,
    options: {
      ...{ baseUrl, concurrency, slice, runner },
      dist: isBefore ? new URL("index.js", before).href : dist("index.js"),
    },
    cpu: CPU_OF_CALLER,
    execPath: node(24),
  }));
  // A call is a slice of the plants: one in each round.
  const warmUp = quick ? { warmUpMs: 300 } : { warmUpMs: 1000, warmUpCalls: Math.ceil(20_000 / slice) };
  return interleave(candidates, { generations: runs, rounds, batchMs: 1, ...warmUp });
}

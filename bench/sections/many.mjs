import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bytesOf } from "../lib/allocations.mjs";
import { dist } from "../lib/build.mjs";
import { CPU_OF_CALLER } from "../lib/cpus.mjs";
import { interleave } from "../lib/interleave.mjs";
import { onLoopback } from "../lib/loopback.mjs";
import { round, versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { medianRatio, ratioOverRuns } from "../lib/statistics.mjs";

const CALL = new URL("../many/call.mjs", import.meta.url).href;
const MEMORY = fileURLToPath(new URL("../many/memory.mjs", import.meta.url));

const BASELINE = "pool-fetch";
const NAMES = {
  [BASELINE]: "pool by hand over `fetch`, with a deadline",
  "create-plants": "**createPlants**",
  "pool-undici": "pool by hand over undici.request, with a deadline",
  "create-plants-undici": "**createPlants, undici entry point**",
};
const CONCURRENCIES = [1, 8, 64, 256];
/** Few enough that the young generation holds every batch of them. */
const PLANTS_A_BATCH = 1_000;

export const title = "Many: createPlants over a list";
export const versions = () => `Node 24.21.0, ${versionsOf(["undici"])}`;

export async function run({ quick, log }) {
  const plants = quick ? 5_000 : 200_000;
  const runs = quick ? 1 : 5;
  const rounds = quick ? 5 : 8;
  const speed = {};
  const memory = {};
  const bytes = {};
  await onLoopback(async (baseUrl) => {
    const options = { baseUrl, dist: dist("index.js") };
    for (const concurrency of CONCURRENCIES) {
      log(`${plants} plants, ${concurrency} at once`);
      speed[concurrency] = await measure(
        { ...options, concurrency, slice: plants / rounds / runs },
        { runs, rounds, quick },
      );
    }
    for (const runner of Object.keys(NAMES)) {
      log(`memory, ${runner}`);
      memory[runner] = memoryOf({ ...options, runner, concurrency: 64, plants });
      bytes[runner] = await bytesOfPlant({ ...options, runner, concurrency: 64 });
    }
  });
  const ratio = (concurrency, runner, base = BASELINE, clock = "wall") =>
    medianRatio(speed[concurrency].get(runner)[clock], speed[concurrency].get(base)[clock]);
  const overRuns = (concurrency, runner, base) =>
    ratioOverRuns(speed[concurrency].get(runner).wall, speed[concurrency].get(base).wall, runs);
  const throughput = (concurrency, runner) => round(1 / ratio(concurrency, runner));
  return {
    tables: [
      {
        title: `Plants a second, as a ratio to the pool over fetch (${plants.toLocaleString("en")} plants)`,
        note: "In brackets CPU time of a plant, as a ratio to the same.",
        columns: ["how", ...CONCURRENCIES.map((concurrency) => `${concurrency} at once`)],
        rows: Object.entries(NAMES).map(([runner, name]) => [
          name,
          ...CONCURRENCIES.map(
            (concurrency) =>
              `${throughput(concurrency, runner)} (${round(ratio(concurrency, runner, BASELINE, "cpu"))})`,
          ),
        ]),
      },
      {
        title: `Memory of one run over ${plants.toLocaleString("en")} plants, 64 at once`,
        note: "What V8 allocates for one plant, and in brackets as a ratio to the first row; what the heap holds more than before the run, after a garbage collection, in MiB; and the most that was resident, as a ratio.",
        columns: ["how", "allocated for a plant, bytes", "most held, MiB", "held at the end, MiB", "resident"],
        rows: Object.entries(NAMES).map(([runner, name]) => [
          name,
          `${round(bytes[runner])} (${round(bytes[runner] / bytes[BASELINE])})`,
          round(memory[runner].mostHeld),
          round(memory[runner].heldAtEnd),
          round(memory[runner].rss / memory[BASELINE].rss),
        ]),
      },
    ],
    targets: [
      {
        figure: "createPlants at 64 to a pool by hand over fetch with a deadline, time",
        atMost: 1.1,
        ...overRuns(64, "create-plants", BASELINE),
      },
      {
        figure: "the same over undici, to a pool over undici.request with a deadline",
        atMost: 1.15,
        ...overRuns(64, "create-plants-undici", "pool-undici"),
      },
    ],
  };
}

function measure(options, { runs, rounds, quick }) {
  const candidates = Object.keys(NAMES).map((runner) => ({
    name: runner,
    module: CALL,
    options: { ...options, runner },
    cpu: CPU_OF_CALLER,
    execPath: node(24),
  }));
  // A call is a slice of the plants: one in each round.
  const warmUp = quick ? { warmUpMs: 300 } : { warmUpMs: 1000, warmUpCalls: Math.ceil(20_000 / options.slice) };
  return interleave(candidates, { generations: runs, rounds, batchMs: 1, ...warmUp });
}

function memoryOf(options) {
  return JSON.parse(`${execFileSync(node(24), ["--expose-gc", "--no-warnings", MEMORY, JSON.stringify(options)])}`);
}

async function bytesOfPlant(options) {
  const slice = PLANTS_A_BATCH;
  return (await bytesOf({ module: CALL, options: { ...options, slice }, calls: 1, execPath: node(24) })) / slice;
}

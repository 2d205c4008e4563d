import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { dist } from "../lib/build.mjs";
import { interleave } from "../lib/interleave.mjs";
import { round, versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { median, medianRatio, overRuns, ratioOverRuns } from "../lib/statistics.mjs";

const CALL = new URL("../mock/call.mjs", import.meta.url).href;
const MILLION = fileURLToPath(new URL("../mock/million.mjs", import.meta.url));

const BASELINE = "stub that builds a Request";

/** Name, what mock/call.mjs calls it, and the major version of MSW. */
const CANDIDATES = [
  [BASELINE, "stub-request"],
  ["stub", "stub-response"],
  ["**mock.fetch**", "mock-fetch"],
  ["getResponse of MSW 2, bare handler", "get-response-bare", 2],
  ["**getResponse of MSW 2, our handlers**", "get-response-ours", 2],
  ["undici MockAgent, static reply", "undici-mock-agent"],
  ["nock", "nock"],
];
const EFFORT = {
  quick: { generations: 1, rounds: 9, batchMs: 20, warmUpMs: 400 },
  full: { generations: 5, rounds: 8, batchMs: 30, warmUpMs: 1200 },
};
/** The same for those that MSW intercepts. */
const INTERCEPTED = [
  [BASELINE, "stub-request"],
  ["MSW 2, bare handler", "msw-bare", 2],
  ["**MSW 2, our handlers**", "msw-ours", 2],
  ["MSW 3, bare handler", "msw-bare", 3],
  ["**MSW 3, our handlers**", "msw-ours", 3],
];
/** Of those, a batch of 30 ms has so few that a collection of garbage decides it, and 1,200 ms leave them half compiled. */
const INTERCEPTED_EFFORT = {
  quick: { generations: 1, rounds: 5, batchMs: 100, warmUpMs: 400 },
  full: { generations: 5, rounds: 15, batchMs: 200, warmUpMs: 1200, warmUpCalls: 5_000 },
};

export const title = "Mock in the process: the time of one create";
export const versions = () => `Node 24.21.0, ${versionsOf(["msw", "msw3", "undici", "nock"])}`;

export async function run({ quick, log }) {
  log("one create");
  const form = quick ? "quick" : "full";
  const times = await measure(CANDIDATES, EFFORT[form]);
  log("one create that MSW intercepts");
  const intercepted = await measure(INTERCEPTED, INTERCEPTED_EFFORT[form]);
  const ratio = (times, name) => medianRatio(times.get(name).cpu, times.get(BASELINE).cpu);
  const target = (times, name, base) => ratioOverRuns(times.get(name).cpu, times.get(base).cpu, times.get(name).runs);
  const plants = quick ? 100_000 : 1_000_000;
  log(`${plants} plants`);
  const millions = runsOf(quick, () => inProcess(MILLION, { plants, ...modules() }));
  return {
    tables: [
      {
        title: "CPU time of one create, as a ratio to a stub fetch that builds a Request",
        note: "The caller is the same `fetch` by hand for each. A bare handler only parses and replies; ours authorizes, validates, stores, and records.",
        columns: ["mock", "CPU time"],
        rows: [
          ...CANDIDATES.map(([name]) => [name, ratio(times, name).toFixed(2)]),
          ...INTERCEPTED.slice(1).map(([name]) => [name, ratio(intercepted, name).toFixed(2)]),
        ],
      },
      millionTable(millions, plants),
    ],
    targets: [
      {
        figure: "mock.fetch, to a stub that builds a Request",
        atMost: 1,
        ...target(times, "**mock.fetch**", BASELINE),
      },
      ...[2, 3].map((major) => ({
        figure: `our handlers to a bare one, MSW ${major}`,
        atMost: 1.1,
        ...target(intercepted, `**MSW ${major}, our handlers**`, `MSW ${major}, bare handler`),
      })),
      {
        figure: "a plant in the store, over its strings",
        atMost: 250,
        unit: "bytes",
        ...overRuns(millions.map(({ indexedBytes }) => indexedBytes)),
      },
    ],
  };
}

function measure(candidates, effort) {
  return interleave(
    candidates.map(([name, candidate, msw]) => ({
      name,
      module: CALL,
      options: { candidate, ...modules(msw) },
      execPath: node(24),
    })),
    effort,
  );
}

/** A target needs the spread of five runs. */
function runsOf(quick, run) {
  return Array.from({ length: quick ? 1 : 5 }, run);
}

function inProcess(script, options) {
  const text = execFileSync(node(24), ["--expose-gc", "--no-warnings", script, JSON.stringify(options)]);
  return JSON.parse(`${text}`);
}

export function modules(msw = 2) {
  const name = msw === 3 ? "msw3" : "msw";
  return {
    mock: dist("mock/index.js", { msw }),
    mockMsw: dist("mock/msw.js", { msw }),
    msw: import.meta.resolve(name),
    mswNode: import.meta.resolve(`${name}/node`),
  };
}

function millionTable(runs, plants) {
  const row = (figure, figureOf) => [figure, round(median(runs.map(figureOf)))];
  return {
    title: `${plants.toLocaleString("en")} plants in one mock`,
    columns: ["figure", "value"],
    rows: [
      row("strings of a plant, bytes", ({ stringBytes }) => stringBytes),
      row("over them, bytes a plant", ({ bytes }) => bytes),
      row("the same after a lookup by id", ({ indexedBytes }) => indexedBytes),
      row("time of a create, last tenth to first", lastToFirst),
    ],
  };
}

function lastToFirst({ tenths }) {
  return tenths.at(-1) / tenths[0];
}

import { dist } from "../lib/build.mjs";
import { interleave } from "../lib/interleave.mjs";
import { versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { medianRatio, ratioOverRuns } from "../lib/statistics.mjs";

const CALL = new URL("../mock/call.mjs", import.meta.url).href;

const BASELINE = "stub that builds a Request";
const OURS = "**mock.fetch**";

/** Name, what mock/call.mjs calls it, and the major version of MSW. */
const CANDIDATES = [
  [BASELINE, "stub-request"],
  ["stub", "stub-response"],
  [OURS, "mock-fetch"],
  ["getResponse of MSW 2, bare handler", "get-response-bare", 2],
  ["**getResponse of MSW 2, our handlers**", "get-response-ours", 2],
  ["undici MockAgent, static reply", "undici-mock-agent"],
  ["nock", "nock"],
  ["MSW 2, bare handler", "msw-bare", 2],
  ["**MSW 2, our handlers**", "msw-ours", 2],
  ["MSW 3, bare handler", "msw-bare", 3],
  ["**MSW 3, our handlers**", "msw-ours", 3],
];
/** In a short batch, MSW makes so few calls that a collection of garbage decides it. */
const EFFORT = {
  quick: { generations: 1, rounds: 5, batchMs: 100, warmUpMs: 400 },
  full: { generations: 5, rounds: 15, batchMs: 200, warmUpMs: 1200, warmUpCalls: 5_000 },
};

export const title = "Mock in the process: the time of one create";

export async function run({ quick, log }) {
  log("one create");
  const candidates = CANDIDATES.map(([name, candidate, msw]) => ({
    name,
    module: CALL,
    options: { candidate, ...modules(msw) },
    execPath: node(24),
  }));
  const times = await interleave(candidates, EFFORT[quick ? "quick" : "full"]);
  const target = (name, base) => ratioOverRuns(times.get(name).cpu, times.get(base).cpu, times.get(name).runs);
  return {
    note: "CPU time, as a ratio to a stub `fetch` that builds a Request. The caller is the same `fetch` by hand for each. A bare handler only parses and replies; ours authorizes, validates, stores, and records.",
    columns: ["mock", "CPU time"],
    rows: CANDIDATES.map(([name]) => [name, medianRatio(times.get(name).cpu, times.get(BASELINE).cpu).toFixed(2)]),
    targets: [
      { figure: "mock.fetch, to a stub that builds a Request", atMost: 1, ...target(OURS, BASELINE) },
      ...[2, 3].map((major) => ({
        figure: `our handlers, to a bare one, MSW ${major}`,
        atMost: 1.1,
        ...target(`**MSW ${major}, our handlers**`, `MSW ${major}, bare handler`),
      })),
    ],
    versions: versionsOf(["msw", "msw3", "undici", "nock"]),
  };
}

function modules(msw = 2) {
  const name = msw === 3 ? "msw3" : "msw";
  return {
    mock: dist("mock/index.js", { msw }),
    mockMsw: dist("mock/msw.js", { msw }),
    msw: import.meta.resolve(name),
    mswNode: import.meta.resolve(`${name}/node`),
  };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { dist } from "../lib/build.mjs";
import { round, versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { startServer } from "../lib/server-process.mjs";
import { median, overRuns } from "../lib/statistics.mjs";
import { SCENARIOS } from "../limits/scenarios.mjs";

const SERVICE = fileURLToPath(new URL("../limits/service.mjs", import.meta.url));
const RUN = fileURLToPath(new URL("../limits/run.mjs", import.meta.url));

const NAMES = {
  ours: "**createPlants**",
  awsAdaptive: "AWS adaptive (@smithy/util-retry)",
  kyRetries: "ky with retries",
  pausedQueue: "p-queue, paused on 429",
  bottleneck: "Bottleneck as octokit uses it",
};
/** createPlants, which has targets, runs several times for their spread. */
const RUNS_OF_OURS = 5;
/** A strategy is ended after three times the ideal time plus two minutes; plants not created by then are lost. */
const mostMs = (idealMs) => Math.max(3 * idealMs, 120_000);

export const title = "Limits: many plants through a service that refuses";
export const versions = () => `Node 24.21.0, ${versionsOf(["p-queue", "bottleneck", "ky", "@smithy/util-retry"])}`;

export async function run({ quick, only, log }) {
  const scenarios = Object.keys(SCENARIOS).filter((name) => only?.includes(name) ?? (!quick || name !== "quota"));
  const seen = {};
  for (const scenario of scenarios) {
    log(`${SCENARIOS[scenario].title}: at least ${Math.round(SCENARIOS[scenario].idealMs / 1000)} s`);
    // All at once: the rates are slow, and each has a service of its own.
    const strategies = Object.keys(NAMES).map(async (strategy) => {
      const runs = Array.from({ length: strategy === "ours" ? RUNS_OF_OURS : 1 }, () => measure(scenario, strategy));
      return [strategy, await Promise.all(runs)];
    });
    seen[scenario] = Object.fromEntries(await Promise.all(strategies));
  }
  /** In sum over the limits, each run of a strategy. */
  const sums = (strategy, figureOf) =>
    seen[scenarios[0]][strategy].map((_, run) =>
      scenarios.reduce((total, name) => total + figureOf(seen[name][strategy][run]), 0),
    );
  return {
    tables: [
      ...scenarios.map((name) => ({
        title: `${SCENARIOS[name].title}; ${SCENARIOS[name].plants.toLocaleString("en")} plants`,
        columns: ["how", "plants lost", "requests refused", "of the limit used", "plants created twice"],
        rows: Object.keys(NAMES).map((strategy) => rowOf(strategy, seen[name][strategy])),
      })),
      {
        title: "In sum",
        note: "The shares of the limits used, less the shares of requests refused; the best possible is one for each limit.",
        columns: ["how", "sum"],
        rows: Object.keys(NAMES).map((strategy) => [NAMES[strategy], round(median(sums(strategy, worth)))]),
      },
    ],
    targets: targetsOf(scenarios, seen, sums),
  };
}

/** Of several runs the middle, but the most plants lost or created twice. */
function rowOf(strategy, runs) {
  const most = (figure) => `${Math.max(...runs.map((run) => run[figure]))}`;
  const middle = (figure) => median(runs.map((run) => run[figure]));
  return [
    NAMES[strategy],
    most("lost"),
    `${(middle("refused") * 100).toFixed(1)} %`,
    middle("used").toFixed(2),
    most("twice"),
  ];
}

function worth({ used, refused }) {
  return used - refused;
}

function targetsOf(scenarios, seen, sums) {
  const over = (name, figureOf) => overRuns(seen[name].ours.map(figureOf));
  /** A plant lost in one run is lost: the greatest counts. */
  const most = (figure) => {
    const runs = overRuns(sums("ours", (run) => run[figure]));
    return { ...runs, value: runs.greatest };
  };
  const targets = [
    { figure: "plants lost", atMost: 0, ...most("lost") },
    { figure: "plants created twice", atMost: 0, ...most("twice") },
  ];
  for (const name of scenarios.filter((scenario) => scenario === "bucket" || scenario === "window")) {
    targets.push({
      figure: `${name}: refused`,
      unit: "%",
      atMost: 2,
      ...over(name, ({ refused }) => refused * 100),
    });
    targets.push({ figure: `${name}: of the limit used`, atLeast: 0.8, ...over(name, ({ used }) => used) });
  }
  if (scenarios.includes("quota"))
    targets.push({ figure: "quota: time to the ideal", atMost: 1.1, ...over("quota", ({ used }) => 1 / used) });
  return targets;
}

/** One strategy against a service of its own. The service reports what happened, not the client. */
async function measure(scenario, strategy) {
  const { plants, idealMs } = SCENARIOS[scenario];
  const server = await startServer(SERVICE, [scenario], { execPath: node(24) });
  try {
    const options = { strategy, plants, baseUrl: `${server.url}/v1`, dist: dist("index.js") };
    const child = spawn(node(24), [RUN, JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), mostMs(idealMs));
    await once(child, "exit");
    clearTimeout(timer);
    const { requests, refused, twice, created, firstAt, lastAt } = await server.ask();
    const tookMs = lastAt - firstAt;
    return {
      lost: plants - created,
      refused: refused / requests,
      used: Math.min(1, (idealMs * (created / plants)) / tookMs),
      twice,
    };
  } finally {
    await server.stop();
  }
}

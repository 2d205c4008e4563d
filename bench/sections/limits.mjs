import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { dist } from "../lib/build.mjs";
import { versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { startServer } from "../lib/server-process.mjs";
import { median, overRuns } from "../lib/statistics.mjs";
import { SCENARIOS } from "../limits/scenarios.mjs";
import { strayTargets } from "../limits/strays.mjs";

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

export async function run({ quick, log }) {
  const scenarios = Object.keys(SCENARIOS).filter((name) => !quick || name !== "quota");
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
  /** The worst run of each limit, in sum. */
  const total = (strategy, figure) =>
    scenarios.reduce((sum, name) => sum + Math.max(...seen[name][strategy].map((run) => run[figure])), 0);
  const cell = (name, strategy) => {
    const middle = (figure) => median(seen[name][strategy].map((run) => run[figure]));
    return `${middle("used").toFixed(2)} (${(middle("refused") * 100).toFixed(1)} %)`;
  };
  return {
    note: "Five strategies at the same time, each against a service of its own. For each limit, the share of it that was used, compared with a client that knows it, and in brackets the share of requests that were refused.",
    columns: ["how", ...scenarios.map((name) => SCENARIOS[name].title), "plants lost", "created twice"],
    rows: Object.entries(NAMES).map(([strategy, name]) => [
      name,
      ...scenarios.map((scenario) => cell(scenario, strategy)),
      total(strategy, "lost"),
      total(strategy, "twice"),
    ]),
    targets: [
      ...["bucket", "window"].flatMap((name) => {
        const over = (figure) => overRuns(seen[name].ours.map((run) => run[figure]));
        return [
          { figure: `${name}: share refused`, atMost: 0.02, ...over("refused") },
          { figure: `${name}: share used`, atLeast: 0.8, ...over("used") },
        ];
      }),
      ...(await strayTargets({ log })),
    ],
    versions: versionsOf(["p-queue", "bottleneck", "ky", "@smithy/util-retry"]),
  };
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

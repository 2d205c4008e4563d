import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CLIENT, dist } from "../lib/build.mjs";
import { round, versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { startServer } from "../lib/server-process.mjs";
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
/** A strategy is ended after three times the ideal time plus two minutes; plants not created by then are lost. */
const mostMs = (idealMs) => Math.max(3 * idealMs, 120_000);

export const title = "Limits: many plants through a service that refuses";
export const entryPoints = CLIENT;
export const versions = () => `Node 24.21.0, ${versionsOf(["p-queue", "bottleneck", "ky", "@smithy/util-retry"])}`;

export async function run({ quick, only, log }) {
  const scenarios = Object.keys(SCENARIOS).filter((name) => only?.includes(name) ?? (!quick || name !== "quota"));
  const seen = {};
  for (const scenario of scenarios) {
    log(`${SCENARIOS[scenario].title}: at least ${Math.round(SCENARIOS[scenario].idealMs / 1000)} s`);
    // All at once: the rates are slow, and each has a service of its own.
    const runs = Object.keys(NAMES).map(async (strategy) => [strategy, await measure(scenario, strategy)]);
    seen[scenario] = Object.fromEntries(await Promise.all(runs));
  }
  const sum = (strategy) =>
    scenarios.reduce((total, name) => total + seen[name][strategy].used - seen[name][strategy].refused, 0);
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
        rows: Object.keys(NAMES).map((strategy) => [NAMES[strategy], round(sum(strategy))]),
      },
    ],
    targets: targetsOf(scenarios, seen, sum),
  };
}

function rowOf(strategy, { lost, refused, used, twice }) {
  return [NAMES[strategy], `${lost}`, `${(refused * 100).toFixed(1)} %`, used.toFixed(2), `${twice}`];
}

function targetsOf(scenarios, seen, sum) {
  const ours = (name) => seen[name].ours;
  const total = (field) => scenarios.reduce((all, name) => all + ours(name)[field], 0);
  const peers = Object.keys(NAMES).filter((strategy) => strategy !== "ours");
  const targets = [
    { figure: "plants lost", atMost: 0, value: total("lost") },
    { figure: "plants created twice", atMost: 0, value: total("twice") },
  ];
  for (const name of scenarios.filter((scenario) => scenario === "bucket" || scenario === "window")) {
    targets.push({ figure: `${name}: refused`, unit: "%", atMost: 2, value: ours(name).refused * 100 });
    targets.push({ figure: `${name}: of the limit used`, atLeast: 0.8, value: ours(name).used });
  }
  if (scenarios.includes("quota"))
    targets.push({ figure: "quota: time to the ideal", atMost: 1.1, value: 1 / ours("quota").used });
  targets.push({
    figure: "ahead of the best peer in sum",
    atLeast: 0,
    value: sum("ours") - Math.max(...peers.map(sum)),
  });
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

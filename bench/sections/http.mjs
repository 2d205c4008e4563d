import { load, send } from "../http/load.mjs";
import { start } from "../http/process.mjs";
import { servers } from "../http/servers.mjs";
import { round, versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { medianRatio, ratioOverRuns } from "../lib/statistics.mjs";

const BASELINE = "node:http, by hand";
const OURS = "**plant-store-mock**";
const PACKAGES = ["fastify", "hono", "@hono/node-server", "express", "@stoplight/prism-cli", "@mswjs/http-middleware"];

/** What is measured of a server, and the title of its column. */
const FIGURES = { requests: "requests a second", cpu: "CPU", p99: "p99", startMs: "start-up", memory: "memory" };

/** Requests that warm the server up, and after which its memory is measured. */
const FIRST_REQUESTS = 5_000;

export const title = "Mock on a port, under 50 connections";

export async function run({ quick, log }) {
  const effort = quick ? { rounds: 2, turns: 1 } : { rounds: 5, turns: 3 };
  const names = Object.keys(servers);
  const figures = new Map(
    names.map((name) => [name, Object.fromEntries(Object.keys(FIGURES).map((figure) => [figure, []]))]),
  );
  const add = (name, measured) => {
    for (const [figure, value] of Object.entries(measured)) figures.get(name)[figure].push(value);
  };
  for (let i = 0; i < effort.rounds; i++) await takeTurns(names, { first: i, turns: effort.turns, log, add });
  const ratio = (name, figure) => medianRatio(figures.get(name)[figure], figures.get(BASELINE)[figure]);
  // Each round starts the servers anew, and so is a run.
  const overRuns = (figure) => ratioOverRuns(figures.get(OURS)[figure], figures.get(BASELINE)[figure], effort.rounds);
  return {
    note: "As ratios to node:http by hand. CPU is that of the server for one request; start-up ends with the first 200; memory is the most that was resident until the 5,000th reply.",
    columns: ["server", ...Object.values(FIGURES)],
    rows: names.map((name) => [name, ...Object.keys(FIGURES).map((figure) => round(ratio(name, figure)))]),
    targets: [
      { figure: "requests a second", atLeast: 0.9, ...overRuns("requests") },
      { figure: "p99", atMost: 1.2, ...overRuns("p99") },
      { figure: "start-up", atMost: 1.6, ...overRuns("startMs") },
      { figure: "memory under load", atMost: 1.2, ...overRuns("memory") },
    ],
    versions: versionsOf(PACKAGES),
  };
}

/** One round: starts all servers, then loads each for a second, in turns: a slow moment of the machine affects all. */
async function takeTurns(names, { first, turns, log, add }) {
  const started = [];
  try {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + first) % names.length];
      log(`round ${first + 1}, ${name.replaceAll("*", "")}`);
      const server = await start(servers[name], node(24));
      started.push({ name, ...server });
      add(name, { startMs: server.startMs, memory: await warmUp(server) });
    }
    for (let turn = 0; turn < turns; turn++) {
      for (const { name, url, cpu } of started) {
        const before = cpu();
        const { requests, p99 } = await load(url, 1);
        add(name, { requests, p99, cpu: (cpu() - before) / requests });
      }
    }
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
  }
}

/** The most memory until the first requests are answered; then V8 gets a second to compile what the server uses. */
async function warmUp({ url, memory }) {
  let most = 0;
  const look = () => {
    most = Math.max(most, memory());
  };
  const watch = setInterval(look, 250);
  try {
    await send(url, FIRST_REQUESTS);
    look();
  } finally {
    clearInterval(watch);
  }
  await load(url, 1);
  return most;
}

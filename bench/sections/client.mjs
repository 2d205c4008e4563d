import { dist } from "../lib/build.mjs";
import { CPU_OF_CALLER } from "../lib/cpus.mjs";
import { interleave } from "../lib/interleave.mjs";
import { onLoopback } from "../lib/loopback.mjs";
import { versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { medianRatio, ratioOverRuns } from "../lib/statistics.mjs";

const CALL = new URL("../client/call.mjs", import.meta.url).href;

const OURS = "plant-store-client";
const PEERS = ["openapi-fetch", "hey-api", "ofetch", "ky", "axios"];
/** Those that parse the response and have a deadline: ky by default, the others by an option. */
const PEERS_WITH_DEADLINE = ["ofetch", "ky", "axios"];
const UNDICI = "plant-store-client-undici";
const BY_HAND = ["raw-fetch", "raw-fetch-deadline"];
const ON_SOCKETS = [...BY_HAND, OURS, ...PEERS, "undici-request", "undici-request-deadline", UNDICI];

/** The columns of the table: the network, the calls at once, and the candidates. */
const SCENARIOS = [
  { key: "stub", title: "stub", stub: "response", clients: [...BY_HAND, OURS, ...PEERS] },
  { key: "request", title: "stub that builds a Request", stub: "request", clients: [...BY_HAND, OURS, ...PEERS] },
  { key: "plain", title: "plain-object stub", stub: "plain", clients: [...BY_HAND, OURS, "openapi-fetch"] },
  { key: "sequential", title: "loopback, one after the other", clients: ON_SOCKETS },
  { key: "parallel", title: "loopback, 64 at once", lanes: 64, clients: ON_SOCKETS },
];

const STUB_EFFORT = {
  quick: { generations: 1, rounds: 11, batchMs: 20, warmUpMs: 500 },
  full: { generations: 5, rounds: 9, batchMs: 25, warmUpMs: 800 },
};
/** On a socket, 800 ms are too few calls for the compiler to be done (README.md). */
const SOCKET_EFFORT = {
  quick: { generations: 1, rounds: 9, batchMs: 40, warmUpMs: 500 },
  full: { generations: 5, rounds: 61, batchMs: 12, warmUpMs: 800, warmUpCalls: 20_000 },
};

const NAMES = {
  "raw-fetch": "fetch, by hand",
  [OURS]: "**plant-store-client**",
  "openapi-fetch": "openapi-fetch, bearer middleware",
  "hey-api": "@hey-api/client-fetch",
  "raw-fetch-deadline": "fetch, by hand, with a deadline",
  "undici-request": "undici.request, by hand",
  "undici-request-deadline": "undici.request, by hand, with a deadline",
  [UNDICI]: "**plant-store-client/undici**",
};

export const title = "Client: the time of one createPlant";
export const versions = () =>
  `Node 20.20.2 and 24.21.0, ${versionsOf(["openapi-fetch", "@hey-api/client-fetch", "ofetch", "ky", "axios", "undici"])}`;

export async function run({ quick, only, majors = [20, 24], log }) {
  const scenarios = SCENARIOS.filter(({ key }) => !only || only.includes(key));
  const measured = {};
  await onLoopback(async (baseUrl) => {
    for (const major of majors) {
      measured[major] = {};
      for (const scenario of scenarios) {
        log(`Node ${major}, ${scenario.title}`);
        measured[major][scenario.key] = await measure(scenario, { major, quick, baseUrl });
      }
    }
  });
  return {
    tables: majors.map((major) => table(major, scenarios, measured[major])),
    targets: targets(measured[24] ?? {}),
    plots: measured[24] && { client: bars(measured[24]) },
  };
}

function measure({ stub, lanes, clients }, { major, quick, baseUrl }) {
  const candidates = clients.map((client) => ({
    name: client,
    module: CALL,
    options: { client, stub, dist: dist("index.js"), ...(stub ? {} : { baseUrl }) },
    lanes,
    ...(stub ? {} : { cpu: CPU_OF_CALLER }),
    execPath: node(major),
  }));
  const effort = (stub ? STUB_EFFORT : SOCKET_EFFORT)[quick ? "quick" : "full"];
  // Node 20 is shown alongside: it has no target, and so needs no spread.
  return interleave(candidates, major === 24 ? effort : { ...effort, generations: 1 });
}

function table(major, scenarios, measured) {
  return {
    title: `Node ${major}: time of a call, as a ratio to \`fetch\` by hand`,
    note: "On a stub CPU time, which is all the time there is; on loopback the time that passes, in brackets CPU time.",
    columns: ["client", ...scenarios.map(({ title }) => title)],
    rows: ON_SOCKETS.map((client) => [
      NAMES[client] ?? client,
      ...scenarios.map(({ key, stub }) => cell(measured[key], client, Boolean(stub))),
    ]),
  };
}

function cell(times, client, isStub) {
  const own = times.get(client);
  if (!own) return "–";
  const base = times.get("raw-fetch");
  const cpu = medianRatio(own.cpu, base.cpu).toFixed(2);
  return isStub ? cpu : `${medianRatio(own.wall, base.wall).toFixed(2)} (${cpu})`;
}

/** The targets hold for Node 24. Those with a deadline are compared with a caller that has one. */
function targets({ stub, sequential, parallel }) {
  const list = [];
  const add = (figure, atMost, times, client, base, clock) => {
    const { [clock]: values, runs } = times.get(client);
    list.push({ figure, atMost, ...ratioOverRuns(values, times.get(base)[clock], runs) });
  };
  if (stub) {
    add("createPlant on a stub fetch, to fetch by hand", 1.5, stub, OURS, "raw-fetch", "cpu");
    const ratio = (client) => medianRatio(stub.get(client).cpu, stub.get("raw-fetch").cpu);
    const fastest = [...PEERS_WITH_DEADLINE].sort((one, other) => ratio(one) - ratio(other))[0];
    add(`the same, to the fastest peer that decodes and has a deadline (${fastest})`, 1, stub, OURS, fastest, "cpu");
  }
  const sockets = [
    ["one after the other", 1.05, sequential],
    ["64 at once", 1.12, parallel],
  ].filter(([, , times]) => times);
  for (const [how, atMost, times] of sockets) {
    add(`loopback, to fetch by hand with a deadline, ${how}`, atMost, times, OURS, "raw-fetch-deadline", "wall");
  }
  for (const [how, , times] of sockets) {
    const figure = `loopback, undici entry point to undici.request by hand with a deadline, ${how}`;
    add(figure, 1.15, times, UNDICI, "undici-request-deadline", "wall");
  }
  return list;
}

/** The bars of the plot: on a stub and on a socket, as ratios. */
function bars({ stub, parallel }) {
  if (!stub || !parallel) return undefined;
  const ratio = (times, client, clock) => medianRatio(times.get(client)[clock], times.get("raw-fetch")[clock]);
  return ON_SOCKETS.map((client) => ({
    name: (NAMES[client] ?? client).replaceAll("*", ""),
    isOurs: client === OURS || client === UNDICI,
    stub: stub.has(client) ? ratio(stub, client, "cpu") : undefined,
    loopback: ratio(parallel, client, "wall"),
  }));
}

import { fileURLToPath } from "node:url";
import { CLIENT, dist } from "../lib/build.mjs";
import { interleave } from "../lib/interleave.mjs";
import { versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { startServer } from "../lib/server-process.mjs";
import { median, medianRatio } from "../lib/statistics.mjs";

const CALL = new URL("../client/call.mjs", import.meta.url).href;
const SERVER = fileURLToPath(new URL("../client/server.mjs", import.meta.url));

const OURS = "plant-store-client";
const PEERS = ["openapi-fetch", "hey-api", "ofetch", "ky", "axios"];
const ON_SOCKETS = ["raw-fetch", OURS, ...PEERS, "undici-request", "plant-store-client-undici"];

/** The columns of the table: what the network is, how many calls at once, and who takes part. */
const SCENARIOS = [
  { key: "stub", title: "stub", stub: "response", clients: ["raw-fetch", OURS, ...PEERS] },
  { key: "request", title: "stub that builds a Request", stub: "request", clients: ["raw-fetch", OURS, ...PEERS] },
  { key: "plain", title: "plain-object stub", stub: "plain", clients: ["raw-fetch", OURS, "openapi-fetch"] },
  { key: "sequential", title: "loopback, one after the other", clients: ON_SOCKETS },
  { key: "parallel", title: "loopback, 64 at once", lanes: 64, clients: ON_SOCKETS },
];

const STUB_EFFORT = {
  quick: { generations: 1, rounds: 9, batches: 5, batchMs: 5, warmUpMs: 250 },
  full: { generations: 3, rounds: 11, batches: 5, batchMs: 10, warmUpMs: 1000 },
};
const SOCKET_EFFORT = {
  quick: { generations: 1, rounds: 9, batches: 2, batchMs: 20, warmUpMs: 250 },
  full: { generations: 3, rounds: 11, batches: 3, batchMs: 50, warmUpMs: 1000 },
};

const NAMES = {
  "raw-fetch": "fetch, by hand",
  [OURS]: "**plant-store-client**",
  "openapi-fetch": "openapi-fetch, bearer middleware",
  "hey-api": "@hey-api/client-fetch",
  "undici-request": "undici.request, by hand",
  "plant-store-client-undici": "**plant-store-client/undici**",
};

export const title = "Client: the time of one createPlant";
export const doors = CLIENT;
export const versions = () =>
  `Node 20.20.2 and 24.21.0, ${versionsOf(["openapi-fetch", "@hey-api/client-fetch", "ofetch", "ky", "axios", "undici"])}`;

export async function run({ quick, only, majors = [20, 24], log }) {
  const scenarios = SCENARIOS.filter(({ key }) => !only || only.includes(key));
  const server = await startServer(SERVER, [], { execPath: node(24) });
  const measured = {};
  try {
    for (const major of majors) {
      measured[major] = {};
      for (const scenario of scenarios) {
        log(`Node ${major}, ${scenario.title}`);
        measured[major][scenario.key] = await measure(scenario, { major, quick, baseUrl: `${server.url}/v1` });
      }
    }
  } finally {
    await server.stop();
  }
  return {
    tables: majors.map((major) => table(major, scenarios, measured[major])),
    targets: targets(measured[24] ?? {}),
  };
}

function measure({ stub, lanes, clients }, { major, quick, baseUrl }) {
  const candidates = clients.map((client) => ({
    name: client,
    module: CALL,
    options: { client, stub, dist: dist("index.js"), ...(stub ? {} : { baseUrl }) },
    lanes,
    execPath: node(major),
  }));
  return interleave(candidates, (stub ? STUB_EFFORT : SOCKET_EFFORT)[quick ? "quick" : "full"]);
}

function table(major, scenarios, measured) {
  return {
    title: `Node ${major}: time of a call, as a ratio to \`fetch\` by hand`,
    note: "Wall time, in brackets CPU time. The undici rows too are over `fetch` by hand.",
    columns: ["client", ...scenarios.map(({ title }) => title)],
    rows: ON_SOCKETS.map((client) => [
      NAMES[client] ?? client,
      ...scenarios.map(({ key }) => cell(measured[key], client)),
    ]),
  };
}

function cell(times, client) {
  const own = times.get(client);
  if (!own) return "–";
  const base = times.get("raw-fetch");
  return `${medianRatio(own.wall, base.wall).toFixed(2)} (${medianRatio(own.cpu, base.cpu).toFixed(2)})`;
}

/** The targets hold for Node 24. */
function targets({ stub, plain, sequential, parallel }) {
  const ratio = (times, client, base) => medianRatio(times.get(client).wall, times.get(base).wall);
  const list = [];
  if (stub) {
    const ours = ratio(stub, OURS, "raw-fetch");
    const best = Math.min(...PEERS.map((peer) => ratio(stub, peer, "raw-fetch")));
    list.push({ figure: "createPlant on a stub fetch, to raw fetch", atMost: 1.5, value: ours });
    list.push({ figure: "the same, to the fastest peer", atMost: 1, value: ours / best });
  }
  if (plain) {
    const added = plain.get(OURS).cpu.map((cpu, round) => cpu - plain.get("raw-fetch").cpu[round]);
    list.push({
      figure: "the same on a plain-object response, CPU added a call",
      atMost: 3,
      value: median(added) / 1000,
      unit: "µs",
    });
  }
  if (sequential) {
    list.push({
      figure: "loopback, global fetch, one after the other",
      atMost: 1.05,
      value: ratio(sequential, OURS, "raw-fetch"),
    });
  }
  if (parallel) {
    list.push({
      figure: "loopback, global fetch, 64 at once",
      atMost: 1.12,
      value: ratio(parallel, OURS, "raw-fetch"),
    });
  }
  for (const [times, how] of [
    [sequential, "one after the other"],
    [parallel, "64 at once"],
  ]) {
    if (!times) continue;
    const value = ratio(times, "plant-store-client-undici", "undici-request");
    list.push({ figure: `loopback, undici door to undici.request by hand, ${how}`, atMost: 1.25, value });
  }
  return list;
}

import { dist } from "../lib/build.mjs";
import { CPU_OF_CALLER } from "../lib/cpus.mjs";
import { interleave } from "../lib/interleave.mjs";
import { onLoopback } from "../lib/loopback.mjs";
import { versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { medianRatio, ratioOverRuns } from "../lib/statistics.mjs";

const CALL = new URL("../client/call.mjs", import.meta.url).href;

const BASELINE = "raw-fetch";
const WITH_DEADLINE = "raw-fetch-deadline";
const OURS = "plant-store-client";
const BEFORE = "before";
const UNDICI_BY_HAND = "undici-request-deadline";
const UNDICI = "plant-store-client-undici";

const NAMES = {
  [BASELINE]: "fetch, by hand",
  [WITH_DEADLINE]: "fetch, by hand, with a deadline",
  [OURS]: "**plant-store-client**",
  [BEFORE]: "plant-store-client, before",
  "openapi-fetch": "openapi-fetch, bearer middleware",
  "hey-api": "@hey-api/client-fetch",
  ofetch: "ofetch",
  ky: "ky",
  axios: "axios",
  "undici-request": "undici.request, by hand",
  [UNDICI_BY_HAND]: "undici.request, by hand, with a deadline",
  [UNDICI]: "**plant-store-client/undici**",
};
const ON_SOCKETS_ONLY = ["undici-request", UNDICI_BY_HAND, UNDICI];

/** The columns of the table: the network, and the calls at once. */
const SCENARIOS = [
  { key: "stub", title: "stub", stub: "response" },
  { key: "sequential", title: "loopback, one after the other" },
  { key: "parallel", title: "loopback, 64 at once", lanes: 64 },
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

export const title = "Client: the time of one createPlant";

export async function run({ quick, before, log }) {
  const clients = Object.keys(NAMES).filter((client) => client !== BEFORE || before);
  const measured = {};
  await onLoopback(async (baseUrl) => {
    for (const scenario of SCENARIOS) {
      log(scenario.title);
      const callers = clients.filter((client) => !(scenario.stub && ON_SOCKETS_ONLY.includes(client)));
      measured[scenario.key] = await measure(scenario, callers, { quick, before, baseUrl });
    }
  });
  return {
    note: "As a ratio to `fetch` by hand: on a stub CPU time, which is all the time there is; on loopback the time that passes, in brackets CPU time.",
    columns: ["client", ...SCENARIOS.map(({ title }) => title)],
    rows: clients.map((client) => [NAMES[client], ...SCENARIOS.map(({ key }) => cell(measured, key, client))]),
    targets: targets(measured),
    versions: versionsOf(["openapi-fetch", "@hey-api/client-fetch", "ofetch", "ky", "axios", "undici"]),
  };
}

function measure({ stub, lanes }, clients, { quick, before, baseUrl }) {
  const candidates = clients.map((client) => ({
    name: client,
    module: CALL,
    options: {
      client: client === BEFORE ? OURS : client,
      dist: client === BEFORE ? new URL("index.js", before).href : dist("index.js"),
      ...(stub ? { stub } : { baseUrl }),
    },
    lanes,
    ...(stub ? {} : { cpu: CPU_OF_CALLER }),
    execPath: node(24),
  }));
  return interleave(candidates, (stub ? STUB_EFFORT : SOCKET_EFFORT)[quick ? "quick" : "full"]);
}

function cell(measured, key, client) {
  const own = measured[key].get(client);
  if (!own) return "–";
  const base = measured[key].get(BASELINE);
  const cpu = medianRatio(own.cpu, base.cpu).toFixed(2);
  return key === "stub" ? cpu : `${medianRatio(own.wall, base.wall).toFixed(2)} (${cpu})`;
}

/** Those with a deadline are compared with a caller that has one. */
function targets({ stub, sequential, parallel }) {
  const ratio = (times, client, base, clock) => {
    const { [clock]: values, runs } = times.get(client);
    return ratioOverRuns(values, times.get(base)[clock], runs);
  };
  return [
    { figure: "stub, to fetch by hand", atMost: 1.5, ...ratio(stub, OURS, BASELINE, "cpu") },
    {
      figure: "one after the other, to fetch by hand with a deadline",
      atMost: 1.05,
      ...ratio(sequential, OURS, WITH_DEADLINE, "wall"),
    },
    {
      figure: "64 at once, to fetch by hand with a deadline",
      atMost: 1.12,
      ...ratio(parallel, OURS, WITH_DEADLINE, "wall"),
    },
    {
      figure: "undici, one after the other, to undici.request by hand with a deadline",
      atMost: 1.15,
      ...ratio(sequential, UNDICI, UNDICI_BY_HAND, "wall"),
    },
    {
      figure: "undici, 64 at once, to undici.request by hand with a deadline",
      atMost: 1.15,
      ...ratio(parallel, UNDICI, UNDICI_BY_HAND, "wall"),
    },
  ];
}

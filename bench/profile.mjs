// node bench/profile.mjs client|import|mock|http|many …: where the time of one candidate goes. See README.md.
import { load } from "./http/load.mjs";
import { start } from "./http/process.mjs";
import { servers } from "./http/servers.mjs";
import { build, dist, STAGE } from "./lib/build.mjs";
import { onLoopback } from "./lib/loopback.mjs";
import { profile, profileServer, profileStarts } from "./lib/profile.mjs";
import { OURS, programs, textOf } from "./lib/programs.mjs";
import { markdownTable } from "./lib/report.mjs";
import { node } from "./lib/runtimes.mjs";
import { modules } from "./sections/mock.mjs";

const LINES = 25;
const execPath = node(24);
const call = (section) => new URL(`${section}/call.mjs`, import.meta.url).href;

const subjects = {
  /** client [name] [stub, or loopback] [calls at once]: such as `client ofetch loopback 64`. */
  client(client = "plant-store-client", network = "response", lanes = "1") {
    const on = (more) => {
      const options = { client, dist: dist("index.js"), ...more };
      return profile({ module: call("client"), options, lanes: Number(lanes), execPath });
    };
    return network === "loopback" ? onLoopback((baseUrl) => on({ baseUrl })) : on({ stub: network });
  },
  /** mock [candidate] [major of MSW]: such as `mock msw-ours 3`. */
  mock(candidate = "mock-fetch", msw = "2") {
    return profile({ module: call("mock"), options: { candidate, ...modules(Number(msw)) }, execPath });
  },
  /** many [runner] [plants at once]: such as `many create-plants-undici 256`. */
  many(runner = "create-plants", concurrency = "64") {
    return onLoopback((baseUrl) => {
      const options = { runner, concurrency: Number(concurrency), slice: 1000, dist: dist("index.js"), baseUrl };
      return profile({ module: call("many"), options, callsEach: options.slice, execPath });
    });
  },
  /** http [part of a name]: such as `http fastify`. */
  http(part = "plant-store-mock") {
    const [, server] = Object.entries(servers).find(([name]) => name.includes(part));
    return profileServer(async (flags) => {
      const { url, stop } = await start(server, execPath, flags);
      await load(url, 1);
      const from = Number(process.hrtime.bigint() / 1000n);
      const { requests } = await load(url, 3);
      await stop();
      return { from, calls: requests * 3 };
    });
  },
  /** import: a cold start, from before the import to the client. */
  import() {
    return profileStarts({ program: textOf(programs[OURS]), folder: STAGE, execPath });
  },
};

async function tableOf([subject, ...rest]) {
  if (!subjects[subject]) throw new Error(`There is no ${subject}; there are ${Object.keys(subjects).join(", ")}.`);
  const { places, origins } = await subjects[subject](...rest);
  const table = (list, first) => {
    const rows = list.map(({ place, share, microseconds }) => [
      place,
      `${(share * 100).toFixed(1)} %`,
      microseconds.toFixed(microseconds < 1 ? 3 : 2),
    ]);
    return markdownTable({ columns: [first, "share", "µs a call"], rows });
  };
  return `${table(origins, "whose code")}\n\n${table(places.slice(0, LINES), "self time")}`;
}

build();
process.stdout.write(`${await tableOf(process.argv.slice(2))}\n`);

// node bench/profile.mjs client|mock|http … or --all: where the time of one candidate goes. See README.md.
import { writeFileSync } from "node:fs";
import { load } from "./http/load.mjs";
import { start } from "./http/process.mjs";
import { servers } from "./http/servers.mjs";
import { build, CLIENT, dist, MOCK, SERVER } from "./lib/build.mjs";
import { profile, profileServer } from "./lib/profile.mjs";
import { markdownTable } from "./lib/report.mjs";
import { node } from "./lib/runtimes.mjs";
import { modules } from "./sections/mock.mjs";

const LINES = 25;
const execPath = node(24);
const call = (section) => new URL(`${section}/call.mjs`, import.meta.url).href;

const subjects = {
  /** client [name] [stub]: such as `client raw-fetch response`. */
  client(client = "plant-store-client", stub = "response") {
    return profile({ module: call("client"), options: { client, stub, dist: dist("index.js") }, execPath });
  },
  /** mock [candidate] [major of MSW]: such as `mock msw-ours 3`. */
  mock(candidate = "mock-fetch", msw = "2") {
    return profile({ module: call("mock"), options: { candidate, ...modules(Number(msw)) }, execPath });
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
};

/** What profiles.md shows: each candidate beside the one it is measured against. */
const PAGE = [
  "client raw-fetch response",
  "client plant-store-client response",
  "client plant-store-client plain",
  "mock mock-fetch",
  "mock msw-bare 2",
  "mock msw-ours 2",
  "http node:http",
  "http plant-store-mock",
];

async function tableOf([subject, ...rest], lines) {
  if (!subjects[subject]) throw new Error(`There is no ${subject}; there are ${Object.keys(subjects).join(", ")}.`);
  const { places, origins } = await subjects[subject](...rest);
  const table = (list, first) => {
    const rows = list.map(({ place, share, microseconds }) => [
      place,
      `${(share * 100).toFixed(1)} %`,
      microseconds.toFixed(2),
    ]);
    return markdownTable({ columns: [first, "share", "µs a call"], rows });
  };
  return `${table(origins, "whose code")}\n\n${table(places.slice(0, lines), "self time")}`;
}

async function writePage() {
  const parts = [
    "# Profiles",
    "Written by `node bench/profile.mjs --all`, on Node 24. Where the own time of a candidate goes.",
  ];
  for (const line of PAGE) parts.push(`## ${line}`, await tableOf(line.split(" "), 15));
  writeFileSync(new URL("profiles.md", import.meta.url), `${parts.join("\n\n")}\n`);
}

build([...CLIENT, ...MOCK, ...SERVER]);
const words = process.argv.slice(2);
if (words[0] === "--all") await writePage();
else process.stdout.write(`${await tableOf(words, LINES)}\n`);

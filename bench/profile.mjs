// node bench/profile.mjs <client> <stub> [lines]: where the time of one client goes.
import { build, CLIENT, dist } from "./lib/build.mjs";
import { profile } from "./lib/profile.mjs";
import { markdownTable } from "./lib/report.mjs";
import { node } from "./lib/runtimes.mjs";

const [client = "plant-store-client", stub = "response", lines = "25"] = process.argv.slice(2);
build(CLIENT);
const module = new URL("client/call.mjs", import.meta.url).href;
const places = profile({ module, options: { client, stub, dist: dist("index.js") }, execPath: node(24) });
const rows = places
  .slice(0, Number(lines))
  .map(({ place, share, microseconds }) => [place, `${(share * 100).toFixed(1)} %`, `${microseconds.toFixed(2)}`]);
process.stdout.write(`${markdownTable({ columns: ["self time", "share", "µs a call"], rows })}\n`);

import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { request } from "./request.mjs";

const CONNECTIONS = 50;
const SCRIPT = fileURLToPath(new URL("wrk.lua", import.meta.url));

/** wrk if it is installed, else autocannon, which is slower than the fastest servers. */
export const tool = findTool();

function findTool() {
  try {
    execFileSync("wrk", ["-v"], { stdio: "ignore" });
  } catch (error) {
    if (error.code === "ENOENT") return "autocannon";
  }
  return "wrk";
}

/** Loads a server with 50 connections, and measures requests per second and the 99th percentile in milliseconds. */
export function load(url, seconds) {
  return tool === "wrk" ? wrk(url, seconds) : cannon(url, seconds);
}

async function wrk(url, seconds) {
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--latency", "-s", SCRIPT, url];
  const { stdout } = await promisify(execFile)("wrk", args);
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(stdout);
  if (refused) throw new Error(`${refused[1]} replies of ${url} were no 2xx`);
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout);
  const milliseconds = { us: 0.001, ms: 1, s: 1000 }[unit];
  return { requests: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]), p99: Number(p99) * milliseconds };
}

/** Sends `amount` requests over 50 connections: the same work for each server, however long it takes. */
export async function send(url, amount) {
  const { default: autocannon } = await import("autocannon");
  const { non2xx, errors } = await autocannon({ url, amount, connections: CONNECTIONS, ...request });
  if (non2xx || errors) throw new Error(`${non2xx + errors} replies of ${url} were no 2xx`);
}

async function cannon(url, duration) {
  const { default: autocannon } = await import("autocannon");
  const run = autocannon({ url, duration, connections: CONNECTIONS, ...request });
  // Its own percentiles are whole milliseconds, which is as long as most of these responses take.
  const latencies = [];
  run.on("response", (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  const { requests, non2xx } = await run;
  if (non2xx) throw new Error(`${non2xx} replies of ${url} were no 2xx`);
  latencies.sort((a, b) => a - b);
  return { requests: requests.average, p99: latencies[Math.floor(latencies.length * 0.99)] };
}

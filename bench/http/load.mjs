import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { request } from "./request.mjs";

const CONNECTIONS = 50;

/** The request as wrk reads it. */
const folder = mkdtempSync(join(tmpdir(), "bench-wrk-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const script = join(folder, "request.lua");
const headers = Object.entries(request.headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`);
writeFileSync(script, [`wrk.method = "${request.method}"`, `wrk.body = '${request.body}'`, ...headers].join("\n"));

/** Loads a server with 50 connections of wrk, and measures requests per second and the 99th percentile in milliseconds. */
export async function load(url, seconds) {
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--latency", "-s", script, url];
  const { stdout } = await promisify(execFile)("wrk", args).catch((error) => {
    if (error.code === "ENOENT") throw new Error("wrk is not installed: apt-get install wrk, or brew install wrk");
    throw error;
  });
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(stdout);
  if (refused) throw new Error(`${refused[1]} replies of ${url} were no 2xx`);
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout);
  const milliseconds = { us: 0.001, ms: 1, s: 1000 }[unit];
  return { requests: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]), p99: Number(p99) * milliseconds };
}

/** Sends `amount` requests over 50 connections: the same work for each server, however long it takes. */
export async function send(url, amount) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const { method, body, headers } = request;
  const post = () =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(url, { method, headers, agent }, (response) => {
        if (response.statusCode >= 300) reject(new Error(`${url} returned ${response.statusCode}`));
        response.resume().on("end", resolve);
      });
      sent.on("error", reject).end(body);
    });
  await Promise.all(Array.from({ length: amount }, post));
  agent.destroy();
}

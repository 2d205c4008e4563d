import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { request } from "./request.mjs";

const PATIENCE_MS = 30_000;

/** Starts a server, and measures the time to its first 2xx. */
export async function start({ args }, execPath) {
  const port = await freePort();
  const begin = performance.now();
  const child = spawn(execPath, ["--no-warnings", ...args(`${port}`)], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  // No server outlives the run, even if it fails.
  const kill = () => child.kill("SIGKILL");
  process.on("exit", kill);
  child.on("exit", () => process.off("exit", kill));
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const url = `http://127.0.0.1:${port}/plants`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${args(port)[0]} ended:\n${complaint}`);
    if (performance.now() - begin > PATIENCE_MS) {
      child.kill("SIGKILL");
      throw new Error(`${args(port)[0]} gave no 2xx:\n${complaint}`);
    }
    await setTimeout(1);
  }
  const startMs = performance.now() - begin;
  return { url, startMs, memory: () => memoryOf(child.pid), cpu: () => cpuOf(child.pid), stop: () => stop(child) };
}

function answers(url) {
  return new Promise((resolve) => {
    const { method, headers, body } = request;
    const sent = httpRequest(url, { method, headers, agent: false }, (response) => {
      response.resume().on("close", () => resolve(response.statusCode < 300));
    });
    sent.on("error", () => resolve(false));
    sent.end(body);
  });
}

/** Resident memory in MiB. */
function memoryOf(pid) {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", `${pid}`])) / 1024;
}

/** CPU time so far in hundredths of a second, if the system reports it. */
function cpuOf(pid) {
  if (process.platform !== "linux") return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  const force = globalThis.setTimeout(() => child.kill("SIGKILL"), 3000);
  child.kill("SIGTERM");
  await ended;
  clearTimeout(force);
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

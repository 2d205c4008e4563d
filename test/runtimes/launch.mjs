// Runs the suite in one runtime, and returns its results.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { build } from "esbuild";
import { faultTable } from "../../mock/service/faults/fault-table.ts";
import { selfSigned } from "../self-signed.ts";
import { LIMIT_MS } from "../time-limits.ts";
import { browsers } from "./browsers.ts";
import { servePage } from "./page-server.mjs";
import { binaryOf, env, nodeOf } from "./programs.mjs";
import { createStage } from "./stage.mjs";

/** The types of the faults that a service worker can reproduce. */
const workerFaults = Object.entries(faultTable).flatMap(([type, { isInMemoryOnly }]) => (isInMemoryOnly ? [] : type));

/**
 * @param {object} runtime - One of runtimes.mjs.
 * @param {Record<string, string>} addresses - Of the service.
 * @returns {Promise<{ name: string, problem?: string }[]>}
 */
export async function launch(runtime, addresses) {
  const stage = createStage(runtime.undici);
  const { undici, traits } = runtime;
  const key = runtime.name.toLowerCase().replaceAll(/\W+/g, "-");
  try {
    return await starts[runtime.start](stage.folder, { runtime: key, undici, traits, addresses }, runtime);
  } finally {
    stage.remove();
  }
}

const starts = {
  node: async (folder, setting, { major, undici }) => {
    const node = nodeOf(major);
    const results = await runPrograms(folder, setting, [node]);
    if (major >= 26 || undici === 8) results.push(...(await runHttp2(node, folder, setting)));
    return results;
  },
  bun: (folder, setting, { program, servesMock }) =>
    runPrograms(folder, setting, [binaryOf(program), "run"], servesMock),
  deno: async (folder, setting) => {
    const run = ["run", "--quiet", "--no-prompt", "--node-modules-dir=manual", "--allow-read", "--allow-net"];
    const command = binaryOf("deno");
    const deprived = await runProcess(command, [...run, "deprived.mjs"], folder, setting);
    const main = [command, ...run, "--allow-env", "--allow-write"];
    return [...(await runPrograms(folder, setting, main)), ...deprived];
  },
  workerd: runWorkerd,
  browser: runBrowser,
};

/** Runs the suite, an import that is killed, and the mock on a port if the runtime can serve it. */
async function runPrograms(folder, setting, [command, ...args], servesMock = true) {
  const results = await runProcess(command, [...args, "start.mjs"], folder, setting);
  results.push(...(await runKilled(command, [...args, "journal.mjs"], folder, setting)));
  if (!servesMock) return results;
  return [...results, ...(await runProcess(command, [...args, "server.mjs"], folder, setting))];
}

/** Kills a first process as soon as it prints something; the results are those of a second one. */
async function runKilled(command, args, cwd, setting) {
  const child = spawn(command, [...args, JSON.stringify(setting)], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  await Promise.race([once(child.stdout, "data"), ended]);
  child.kill("SIGKILL");
  await ended;
  return runProcess(command, args, cwd, setting);
}

async function runHttp2(node, folder, setting) {
  const { key, cert } = await selfSigned();
  const certificate = join(folder, "certificate.pem");
  writeFileSync(join(folder, "key.pem"), key);
  writeFileSync(certificate, cert);
  return runProcess(node, ["http2.mjs"], folder, setting, { NODE_EXTRA_CA_CERTS: certificate });
}

/** One more case: the process ends by itself, because nothing in the package keeps it alive. */
async function runProcess(command, args, cwd, setting, more = {}) {
  const child = spawn(command, [...args, JSON.stringify(setting)], {
    cwd,
    env: { ...env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  clearTimeout(timer);
  const name = `${args.at(-1)} leaves nothing that keeps the process`;
  try {
    const end = status === 0 && errors === "" ? { name } : { name, problem: `Exit status ${status}\n${errors}` };
    return [...JSON.parse(output), end];
  } catch {
    throw new Error(`${command} gave no results (exit status ${status})\n${output}${errors}`);
  }
}

async function runWorkerd(folder, setting) {
  await bundle(folder, "worker.js", ["workerd", "worker", "browser"]);
  const config = join(folder, "suite.capnp");
  writeFileSync(config, WORKERD_CONFIG);
  const args = ["serve", config, "--control-fd=3"];
  const child = spawn(binaryOf("workerd"), args, {
    env,
    stdio: ["ignore", "inherit", "pipe", "pipe"],
  });
  const errors = text(child.stderr);
  try {
    const port = await Promise.race([portOf(child.stdio[3]), errors.then((said) => Promise.reject(new Error(said)))]);
    const request = { method: "POST", body: JSON.stringify(setting), signal: AbortSignal.timeout(LIMIT_MS) };
    const response = await fetch(`http://127.0.0.1:${port}`, request);
    const results = await response.text();
    if (!response.ok) throw new Error(results);
    return JSON.parse(results);
  } finally {
    child.kill("SIGKILL");
  }
}

/** The addresses that the worker may reach: this machine, and a name that does not resolve. */
const WORKERD_CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "suite", worker = (
      modules = [(name = "suite", esModule = embed "bundles/worker.js")],
      compatibilityDate = "2026-01-01",
    )),
    (name = "internet", network = (allow = ["local", "private", "public"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "suite")],
);
`;

async function portOf(control) {
  for await (const line of control) {
    const { event, port } = JSON.parse(`${line}`.split("\n")[0]);
    if (event === "listen") return port;
  }
  throw new Error("workerd ended before it listened");
}

async function runBrowser(folder, setting, { browser }) {
  await bundle(folder, "page.js", ["browser"]);
  const page = await servePage(join(folder, "bundles"), { ...setting, workerFaults });
  try {
    const close = await browsers[browser](page.url, env);
    try {
      return await Promise.race([page.results, hangs()]);
    } finally {
      await close();
    }
  } finally {
    page.close();
  }
}

async function hangs() {
  await wait(LIMIT_MS, undefined, { ref: false });
  return [{ name: "runs the suite", problem: `The page sent no results within ${LIMIT_MS} ms` }];
}

async function bundle(folder, entry, conditions) {
  const options = { bundle: true, format: "esm", target: "es2022", conditions, logLevel: "silent" };
  await build({ ...options, absWorkingDir: folder, entryPoints: [entry], outdir: join(folder, "bundles") });
}

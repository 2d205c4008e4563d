import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Before these, the compiler is still at work (README.md). */
const WARM_UP_CALLS = 20_000;
const LOOP = fileURLToPath(new URL("profile-loop.mjs", import.meta.url));

/**
 * Profiles one candidate alone (`node --cpu-prof`), and returns its own time by function.
 *
 * @returns self time by function and by whose code it is, the largest first, as a share of the busy time and in
 * microseconds a call
 */
export function profile({ module, options = {}, lanes = 1, callsEach = 1, execPath = process.execPath, ms = 3000 }) {
  return inFolder((flags, read) => {
    const warmUpCalls = Math.ceil(WARM_UP_CALLS / callsEach);
    const told = start(execPath, flags, [LOOP, JSON.stringify({ module, options, lanes, warmUpCalls, ms })]);
    return new Tally().add(read(), told.from).of(told.calls * callsEach);
  });
}

/** Profiles cold starts of a program, from before its imports on. */
export async function profileStarts({ program, folder, execPath = process.execPath, starts = 40 }) {
  writeFileSync(`${folder}program.mjs`, program);
  // Imports run before any other statement, so another module reads the clock.
  const now = "Number(process.hrtime.bigint() / 1000n)";
  const timed = `const from = ${now}; await import("./program.mjs"); const to = ${now};`;
  writeFileSync(`${folder}start.mjs`, `${timed} process.stdout.write(JSON.stringify({ from, to }));`);
  const tally = new Tally();
  for (let i = 0; i < starts; i++) {
    await inFolder((flags, read) => {
      const { from, to } = start(execPath, flags, [`${folder}start.mjs`]);
      tally.add(read(), from, to);
    });
  }
  return tally.of(starts);
}

function start(execPath, flags, args) {
  const { stdout, stderr, status } = spawnSync(execPath, ["--no-warnings", ...flags, ...args]);
  if (status !== 0) throw new Error(`the profiled process failed:\n${stderr}`);
  return JSON.parse(`${stdout}`);
}

/** Profiles a server under load: `run` gets the flags of node, and returns the number of calls and their start. */
export function profileServer(run) {
  return inFolder(async (flags, read) => {
    const { from, calls } = await run(flags);
    return new Tally().add(read(), from).of(calls);
  });
}

async function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "bench-profile-"));
  const flags = ["--cpu-prof", "--cpu-prof-interval", "200", "--cpu-prof-dir", folder];
  const read = () => JSON.parse(readFileSync(join(folder, readdirSync(folder)[0]), "utf8"));
  try {
    return await use(flags, read);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Time by function and by origin, of one or more profiles. */
class Tally {
  #places = new Map();
  #origins = new Map();
  #busy = 0;

  /** Adds the samples of a profile between two times. */
  add({ nodes, samples, timeDeltas, startTime }, from, to = Number.POSITIVE_INFINITY) {
    const frames = new Map(nodes.map((node) => [node.id, node.callFrame]));
    const count = (sums, key, time) => sums.set(key, (sums.get(key) ?? 0) + time);
    let time = startTime;
    for (let i = 0; i < samples.length; i++) {
      time += timeDeltas[i];
      const frame = frames.get(samples[i]);
      if (time < from || time > to || frame.functionName === "(idle)" || frame.functionName === "(program)") continue;
      count(this.#places, placeOf(frame), timeDeltas[i]);
      count(this.#origins, originOf(frame), timeDeltas[i]);
      this.#busy += timeDeltas[i];
    }
    return this;
  }

  /** Self time as a share of the busy time and in microseconds a call. */
  of(calls) {
    const sorted = (sums) =>
      [...sums]
        .map(([place, self]) => ({ place, share: self / this.#busy, microseconds: self / calls }))
        .sort((x, y) => y.share - x.share);
    return { places: sorted(this.#places), origins: sorted(this.#origins) };
  }
}

function placeOf({ functionName, url, lineNumber }) {
  const name = functionName || "(anonymous)";
  if (!url) return name;
  return `${name} ${url.startsWith("node:") ? url : basename(url)}:${lineNumber + 1}`;
}

/** Whose code it is. */
function originOf({ functionName, url }) {
  if (!url) return functionName === "(garbage collector)" ? "garbage collector" : "engine and system calls";
  if (url.includes("/.stage/")) return "**plant-store-client**";
  if (url.includes("deps/undici")) return "fetch of Node";
  if (url.includes("webstreams")) return "web streams of Node";
  if (url.startsWith("node:")) return "Node, else";
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? "the benchmark";
}

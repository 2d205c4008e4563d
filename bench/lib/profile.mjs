import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const LOOP = fileURLToPath(new URL("profile-loop.mjs", import.meta.url));

/**
 * Profiles one candidate alone (`node --cpu-prof`), and returns where its own time goes.
 *
 * @returns self time by function and by whose code it is, the largest first, as a share of the busy time and in
 * microseconds a call
 */
export function profile({ module, options = {}, lanes = 1, execPath = process.execPath, ms = 3000 }) {
  return inFolder((flags, read) => {
    const loop = [LOOP, JSON.stringify({ module, options, lanes, ms })];
    const { stdout, stderr, status } = spawnSync(execPath, ["--no-warnings", ...flags, ...loop]);
    if (status !== 0) throw new Error(`the profiled process failed:\n${stderr}`);
    return summarize(read(), JSON.parse(`${stdout}`));
  });
}

/** Profiles a server under load: `run` gets the flags of node, and returns how many calls were made, and since when. */
export function profileServer(run) {
  return inFolder(async (flags, read) => {
    const counted = await run(flags);
    return summarize(read(), counted);
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

function summarize({ nodes, samples, timeDeltas, startTime }, { calls, from }) {
  const frames = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const places = new Map();
  const origins = new Map();
  const add = (sums, key, time) => sums.set(key, (sums.get(key) ?? 0) + time);
  let time = startTime;
  let busy = 0;
  for (let i = 0; i < samples.length; i++) {
    time += timeDeltas[i];
    const frame = frames.get(samples[i]);
    if (time < from || frame.functionName === "(idle)" || frame.functionName === "(program)") continue;
    add(places, placeOf(frame), timeDeltas[i]);
    add(origins, originOf(frame), timeDeltas[i]);
    busy += timeDeltas[i];
  }
  const sorted = (sums) =>
    [...sums]
      .map(([place, self]) => ({ place, share: self / busy, microseconds: self / calls }))
      .sort((x, y) => y.share - x.share);
  return { places: sorted(places), origins: sorted(origins) };
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

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const LOOP = fileURLToPath(new URL("profile-loop.mjs", import.meta.url));

/**
 * Profiles one candidate alone (`node --cpu-prof`), and returns where its own time goes.
 *
 * @returns {{ place: string, share: number, microseconds: number }[]} self time by function, the largest first, as a
 * share of the busy time and in microseconds a call
 */
export function profile({ module, options = {}, lanes = 1, execPath = process.execPath, ms = 3000 }) {
  const directory = mkdtempSync(join(tmpdir(), "bench-profile-"));
  try {
    const flags = ["--no-warnings", "--cpu-prof", "--cpu-prof-interval", "200", "--cpu-prof-dir", directory];
    const { stdout, stderr, status } = spawnSync(execPath, [
      ...flags,
      LOOP,
      JSON.stringify({ module, options, lanes, ms }),
    ]);
    if (status !== 0) throw new Error(`the profiled process failed:\n${stderr}`);
    const [file] = readdirSync(directory);
    return summarize(JSON.parse(readFileSync(join(directory, file), "utf8")), JSON.parse(`${stdout}`));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function summarize({ nodes, samples, timeDeltas, startTime }, { calls, from }) {
  const places = new Map(nodes.map((node) => [node.id, placeOf(node.callFrame)]));
  const selfTimes = new Map();
  let time = startTime;
  let busy = 0;
  for (let i = 0; i < samples.length; i++) {
    time += timeDeltas[i];
    const place = places.get(samples[i]);
    if (time < from || place === "(idle)" || place === "(program)") continue;
    selfTimes.set(place, (selfTimes.get(place) ?? 0) + timeDeltas[i]);
    busy += timeDeltas[i];
  }
  return [...selfTimes]
    .map(([place, self]) => ({ place, share: self / busy, microseconds: self / calls }))
    .sort((a, b) => b.share - a.share);
}

function placeOf({ functionName, url, lineNumber }) {
  const name = functionName || "(anonymous)";
  if (!url) return name;
  return `${name} ${url.startsWith("node:") ? url : basename(url)}:${lineNumber + 1}`;
}

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { STAGE } from "../lib/build.mjs";
import { OURS, programs, textOf } from "../lib/programs.mjs";
import { versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { median, overRuns } from "../lib/statistics.mjs";

const FOLDER = `${STAGE}programs/`;
const BARE = "bare node";
// Since the process began, so that the start of Node is included.
const TELL = `
const wall = performance.now();
const { user, system } = process.cpuUsage();
process.stdout.write(JSON.stringify({ wall, cpu: (user + system) / 1000 }));
`;

export const title = "Import: from the start of the process to a client";
export const versions = () =>
  `Node 20.20.2 and 24.21.0, ${versionsOf(["openapi-fetch", "ofetch", "ky", "axios", "stripe", "openai"])}`;

export async function run({ quick, majors = [20, 24], log }) {
  mkdirSync(FOLDER, { recursive: true });
  const sources = [[BARE, ""], ...Object.entries(programs).map(([name, program]) => [name, textOf(program)])];
  const files = sources.map(([name, source], i) => {
    const file = `${FOLDER}${i}.mjs`;
    writeFileSync(file, source + TELL);
    return [name, file];
  });
  const times = {};
  for (const major of majors) {
    log(`Node ${major}`);
    times[major] = startAll(files, node(major), quick ? { rounds: 5, tries: 2 } : { rounds: 25, tries: 3 });
  }
  const added = (major, name, clock, from = 0, count = Number.POSITIVE_INFINITY) => {
    const base = times[major].get(BARE);
    const all = times[major].get(name).map((time, round) => time[clock] - base[round][clock]);
    return median(all.slice(from, from + count));
  };
  /** What ours adds, over what another adds: a run is a fifth of the rounds. */
  const runs = (major, other) => {
    const rounds = times[major].get(BARE).length;
    const size = Math.floor(rounds / 5) || rounds;
    const starts = Array.from({ length: Math.floor(rounds / size) }, (_, run) => run * size);
    return overRuns(
      starts.map((from) => added(major, OURS, "cpu", from, size) / added(major, other, "cpu", from, size)),
    );
  };
  return {
    tables: [
      {
        title: "Import and constructor, over a bare node",
        note: "Milliseconds of CPU time, in brackets of the time that passes.",
        columns: ["client", ...majors.map((major) => `Node ${major}`)],
        rows: files
          .slice(1)
          .map(([name]) => [
            name,
            ...majors.map(
              (major) => `${added(major, name, "cpu").toFixed(1)} (${added(major, name, "wall").toFixed(1)})`,
            ),
          ]),
      },
    ],
    targets: majors.map((major) => ({
      figure: `import and constructor, CPU time to openapi-fetch's, Node ${major}`,
      atMost: 0.5,
      ...runs(major, "openapi-fetch"),
    })),
  };
}

/** Every round starts each program several times, and keeps the minimum of each clock. */
function startAll(files, execPath, { rounds, tries }) {
  const times = new Map(files.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < files.length; i++) {
      const [name, file] = files[(i + round) % files.length];
      const starts = Array.from({ length: tries }, () => start(execPath, file));
      const least = (clock) => Math.min(...starts.map((each) => each[clock]));
      times.get(name).push({ wall: least("wall"), cpu: least("cpu") });
    }
  }
  return times;
}

function start(execPath, file) {
  const { stdout, stderr, status } = spawnSync(execPath, ["--no-warnings", file]);
  if (status !== 0) throw new Error(`${stderr}`);
  return JSON.parse(`${stdout}`);
}

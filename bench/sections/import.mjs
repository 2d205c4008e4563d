import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { CLIENT, STAGE } from "../lib/build.mjs";
import { programs, withoutCall } from "../lib/programs.mjs";
import { versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { median } from "../lib/statistics.mjs";

const FOLDER = `${STAGE}programs/`;
const OURS = "**plant-store-client**";
const BARE = "bare node";
// Since the process began, so that what node itself does on the way is in it.
const TELL = "\nprocess.stdout.write(String(performance.now()));\n";

export const title = "Import: from the start of the process to a client";
export const doors = CLIENT;
export const versions = () =>
  `Node 20.20.2 and 24.21.0, ${versionsOf(["openapi-fetch", "ofetch", "ky", "axios", "stripe", "openai"])}`;

export async function run({ quick, majors = [20, 24], log }) {
  mkdirSync(FOLDER, { recursive: true });
  const sources = [[BARE, ""], ...Object.entries(programs).map(([name, program]) => [name, withoutCall(program)])];
  const files = sources.map(([name, source], i) => {
    const file = `${FOLDER}${i}.mjs`;
    writeFileSync(file, source + TELL);
    return [name, file];
  });
  const times = {};
  for (const major of majors) {
    log(`Node ${major}`);
    times[major] = startAll(files, node(major), quick ? { rounds: 5, tries: 2 } : { rounds: 21, tries: 3 });
  }
  const added = (major, name) =>
    median(times[major].get(name).map((time, round) => time - times[major].get(BARE)[round]));
  return {
    tables: [
      {
        title: "Import and constructor, over a bare node",
        note: "Milliseconds; in brackets the ratio of the whole start to that of a bare node.",
        columns: ["client", ...majors.map((major) => `Node ${major}`)],
        rows: files
          .slice(1)
          .map(([name]) => [name, ...majors.map((major) => cell(times[major], added(major, name), name))]),
      },
    ],
    targets: majors.includes(24)
      ? [{ figure: "cold import and constructor over bare node", atMost: 6, value: added(24, OURS), unit: "ms" }]
      : [],
  };
}

function cell(times, added, name) {
  return `${added.toFixed(1)} (${median(times.get(name).map((time, round) => time / times.get(BARE)[round])).toFixed(2)})`;
}

/** Every round starts each program some times, and keeps its fastest start. */
function startAll(files, execPath, { rounds, tries }) {
  const times = new Map(files.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < files.length; i++) {
      const [name, file] = files[(i + round) % files.length];
      times.get(name).push(Math.min(...Array.from({ length: tries }, () => start(execPath, file))));
    }
  }
  return times;
}

function start(execPath, file) {
  const { stdout, stderr, status } = spawnSync(execPath, ["--no-warnings", file]);
  if (status !== 0) throw new Error(`${stderr}`);
  return Number(stdout);
}

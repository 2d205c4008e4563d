// Sends plants to a service that restarts every 300 ms, and reports the outcomes:
//
//   npm run restarts
//   npm run restarts -- undici --plants 2000 --runs 1   the rows whose names contain a word, with fewer plants
//   npm run restarts -- --close-idle                    a service that closes idle connections at once
//   npm run restarts -- --write                         writes the table in docs/evidence.md too
import { spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { evidencePage, evidenceWith } from "../../scripts/evidence.ts";
import installPackages from "../install-packages.ts";
import { env, nodeOf } from "../runtimes/programs.mjs";
import { createStage } from "../runtimes/stage.mjs";
import { selfSigned } from "../self-signed.ts";
import { startRestartingService } from "./service.mjs";

const ROWS = [
  { name: "`fetch`, Node 20", node: 20, protocol: "HTTP/1.1" },
  { name: "`fetch`, Node 24", node: 24, protocol: "HTTP/1.1" },
  { name: "undici 7, Node 20", node: 20, undici: 7, protocol: "HTTP/1.1" },
  { name: "undici 8, Node 24", node: 24, undici: 8, protocol: "HTTP/1.1" },
  // Its fetch speaks HTTP/2 by itself.
  { name: "`fetch`, Node 26", node: 26, protocol: "HTTP/2" },
];
/** The largest share of plants that may end `unknown` although the service never read them. */
const TARGET = { "HTTP/1.1": 0.005, "HTTP/2": 0.01 };
/** A run that takes longer hangs. */
const LIMIT_MS = 120_000;

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    plants: { type: "string", default: "20000" },
    "at-once": { type: "string", default: "64" },
    runs: { type: "string", default: "5" },
    "close-idle": { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
installPackages();
const plants = Number(values.plants);
const identity = await selfSigned();
const lines = [];
let failures = 0;
for (const row of ROWS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))) {
  const runs = [];
  for (let run = 0; run < Number(values.runs); run++) runs.push(await measure(row));
  const neverRead = median(runs, "neverRead");
  const twice = Math.max(...runs.map((run) => run.twice));
  const isMet = neverRead <= TARGET[row.protocol] * plants && twice === 0 && runs.every((run) => run.lies === 0);
  if (!isMet) failures++;
  const share = `${((neverRead / plants) * 100).toFixed(2)} %`;
  const cells = [row.name, row.protocol, neverRead, share, median(runs, "unsolved"), twice];
  lines.push(`| ${cells.join(" | ")} |`);
  console.log(isMet ? "ok    " : "FAILED", lines.at(-1));
  for (const run of runs) console.log("       ", JSON.stringify(run));
}
if (values.write) writeTable();
process.exitCode = failures === 0 ? 0 : 1;

/** One run: the number of plants by outcome, compared with what the service processed. */
async function measure({ node, undici, protocol }) {
  const service = await startRestartingService(identity, protocol, values["close-idle"]);
  const stage = createStage(undici);
  try {
    cpSync(new URL("client.mjs", import.meta.url), join(stage.folder, "client.mjs"));
    const certificate = join(stage.folder, "certificate.pem");
    writeFileSync(certificate, identity.cert);
    const concurrency = Number(values["at-once"]);
    const setting = { baseUrl: service.address, plants, concurrency, isUndici: undici !== undefined };
    const child = spawn(nodeOf(node), ["client.mjs", JSON.stringify(setting)], {
      cwd: stage.folder,
      env: { ...env, NODE_EXTRA_CA_CERTS: certificate },
      stdio: ["ignore", "pipe", "inherit"],
      timeout: LIMIT_MS,
    });
    const { failed, causes, seconds } = JSON.parse(await text(child.stdout));
    return { ...compare(failed, service), causes, seconds: Math.round(seconds), restarts: service.restarts() };
  } finally {
    stage.remove();
    await service.close();
  }
}

function compare(failed, { read, processed }) {
  const unsolved = failed.unknown.length + failed.rejected.length + failed["not-sent"].length;
  return {
    neverRead: failed.unknown.filter((id) => !read.has(id)).length,
    unsolved,
    twice: [...processed.values()].filter((times) => times > 1).length,
    /** Wrong outcomes. */
    lies:
      failed["not-sent"].filter((id) => read.has(id)).length +
      failed.rejected.filter((id) => processed.has(id)).length +
      (plants - unsolved > processed.size ? 1 : 0),
  };
}

function median(runs, figure) {
  const sorted = runs.map((run) => run[figure]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function writeTable() {
  const head =
    "| transport | protocol | unknown, never read | share | not created | processed twice |\n| --- | --- | --- | --- | --- | --- |";
  writeFileSync(evidencePage, evidenceWith("restarts", `${head}\n${lines.join("\n")}`));
}

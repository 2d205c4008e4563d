import { spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import installPackages from "../../test/install-packages.ts";
import { env, nodeOf } from "../../test/runtimes/programs.mjs";
import { createStage } from "../../test/runtimes/stage.mjs";
import { selfSigned } from "../../test/self-signed.ts";
import { median, overRuns } from "../lib/statistics.mjs";
import { startRestartingService } from "../restarts/service.mjs";

const ROWS = [
  { name: "`fetch`, Node 20", node: 20, protocol: "HTTP/1.1" },
  { name: "`fetch`, Node 24", node: 24, protocol: "HTTP/1.1" },
  { name: "undici 7, Node 20", node: 20, undici: 7, protocol: "HTTP/1.1" },
  { name: "undici 8, Node 24", node: 24, undici: 8, protocol: "HTTP/1.1" },
  // Its fetch speaks HTTP/2 by itself.
  { name: "`fetch`, Node 26", node: 26, protocol: "HTTP/2" },
];
/** How many percent of the plants may end `unknown` although the service never read them. */
const MOST_NEVER_READ = { "HTTP/1.1": 0.5, "HTTP/2": 1 };
const CONCURRENCY = 64;

export const title = "Restarts: a service that restarts every 300 ms";

export async function run({ quick, log }) {
  const { plants, runs } = quick ? { plants: 2_000, runs: 1 } : { plants: 20_000, runs: 5 };
  installPackages();
  const identity = await selfSigned();
  const rows = [];
  const targets = [];
  for (const row of ROWS) {
    const seen = [];
    for (let run = 0; run < runs; run++) {
      seen.push(await measure(row, { plants, identity }));
      log(`${row.name}: ${JSON.stringify(seen.at(-1))}`);
    }
    const of = (figure) => seen.map((run) => run[figure]);
    const twice = Math.max(...of("twice"));
    const shares = overRuns(of("neverRead").map((count) => (count / plants) * 100));
    const share = `${shares.value.toFixed(2)} %`;
    rows.push([row.name, row.protocol, median(of("neverRead")), share, median(of("unsolved")), twice]);
    const wrong = overRuns(seen.map(({ twice, lies }) => twice + lies));
    targets.push(
      { figure: `${row.name}: percent never read`, atMost: MOST_NEVER_READ[row.protocol], ...shares },
      { figure: `${row.name}: processed twice, or a wrong outcome`, atMost: 0, ...wrong, value: wrong.greatest },
    );
  }
  return {
    columns: ["transport", "protocol", "unknown, never read", "share", "not created", "processed twice"],
    rows,
    targets,
    versions: `${plants.toLocaleString("en")} plants, ${CONCURRENCY} at once`,
  };
}

/** One run: the number of plants by outcome, compared with what the service processed. */
async function measure({ node, undici, protocol }, { plants, identity }) {
  const service = await startRestartingService(identity, protocol);
  const stage = createStage(undici);
  try {
    cpSync(new URL("../restarts/client.mjs", import.meta.url), join(stage.folder, "client.mjs"));
    const certificate = join(stage.folder, "certificate.pem");
    writeFileSync(certificate, identity.cert);
    const setting = { baseUrl: service.address, plants, concurrency: CONCURRENCY, isUndici: undici !== undefined };
    const child = spawn(nodeOf(node), ["client.mjs", JSON.stringify(setting)], {
      cwd: stage.folder,
      env: { ...env, NODE_EXTRA_CA_CERTS: certificate },
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 120_000,
    });
    const { failed, causes } = JSON.parse(await text(child.stdout));
    return { ...compare(failed, service, plants), causes, restarts: service.restarts() };
  } finally {
    stage.remove();
    await service.close();
  }
}

function compare(failed, { read, processed }, plants) {
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

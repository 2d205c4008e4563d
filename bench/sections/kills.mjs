import { importWithKills } from "../../test/client/fixtures/kills.ts";
import { overRuns } from "../lib/statistics.mjs";

const CONCURRENCY = 16;

const ROWS = [
  { name: "no other failures", seed: 11 },
  { name: "2 % refused with 429, 1 % reset", seed: 12, refused: 0.02, reset: 0.01 },
];

export const title = "Kills: an import with a journal that is killed again and again";

export async function run({ quick, log }) {
  const { kills, plants } = quick ? { kills: 5, plants: 1_000 } : { kills: 40, plants: 5_000 };
  const rows = [];
  const targets = [];
  for (const { name, ...faults } of ROWS) {
    const seen = await importWithKills({ kills, plants, ...faults });
    log(`${name}: ${JSON.stringify(seen)}`);
    const most = kills * CONCURRENCY + seen.resets;
    rows.push([name, seen.lost, seen.twice, seen.unknown, most]);
    targets.push(
      { figure: `${name}: lost or created twice`, atMost: 0, ...overRuns([seen.lost + seen.twice]) },
      { figure: `${name}: unknown`, atMost: most, ...overRuns([seen.unknown]) },
    );
  }
  return {
    columns: ["beside the kills", "lost", "created twice", "unknown", "in flight at a kill, or reset, at most"],
    rows,
    targets,
    versions: `Node ${process.versions.node}, ${kills} kills (SIGKILL), ${plants.toLocaleString("en")} plants`,
  };
}

// Refusals that the pace did not cause, in simulated time, so that a busy machine measures the same.
import { randomInt } from "node:crypto";
import { costOfStrays, SERVICES, STRAYS } from "../../test/client/fixtures/stray-refusals.ts";
import { overRuns } from "../lib/statistics.mjs";

/** With three or five seeds, the same code costs 1.4 in one run and 2 in another. */
const SEEDS = 10;

/** How much longer than a plain run and their pauses a run with stray refusals takes: the worst, least and greatest service. */
export async function strayTargets({ log }) {
  // Drawn anew, so that no tuning has seen them; printed, so that a run can be repeated.
  const seeds = Array.from({ length: SEEDS }, () => randomInt(1_000_000));
  log(`stray refusals, seeds ${seeds.join(" ")}`);
  const targets = [];
  for (const [count, atMost] of STRAYS) {
    const costs = [];
    for (const service of SERVICES) costs.push(await costOfStrays(count, service, seeds));
    log(`${count} stray refusals: ${costs.map((cost) => cost.toFixed(2)).join(" ")}`);
    targets.push({ figure: `${count} stray refusals: time`, atMost, ...overRuns(costs), value: Math.max(...costs) });
  }
  return targets;
}

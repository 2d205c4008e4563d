// Refusals that the pace did not cause, in simulated time, so that a busy machine measures the same.
import { costOfStrays, SERVICES, STRAYS } from "../../test/client/fixtures/stray-refusals.ts";
import { overRuns } from "../lib/statistics.mjs";

/** The pacer was tuned with the first ten seeds. The others confirm it. */
const SEEDS = {
  "": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  ", other seeds": [11, 12, 13, 14, 15],
};

/** How much longer than a plain run and their pauses a run with stray refusals takes: the worst, least and greatest service. */
export function strayTargets({ log }) {
  return Object.entries(SEEDS).flatMap(([name, seeds]) =>
    STRAYS.map(([count, atMost]) => {
      const costs = SERVICES.map((service) => costOfStrays(count, service, seeds));
      log(`${count} stray refusals${name}: ${costs.map((cost) => cost.toFixed(2)).join(" ")}`);
      return { figure: `${count} stray refusals${name}: time`, atMost, ...overRuns(costs), value: Math.max(...costs) };
    }),
  );
}

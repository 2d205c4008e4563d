import type { NewPlant } from "../../src/contract/plant.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import { mix, randomFrom } from "../time/clock.ts";
import type { PlannedFault } from "./fault-plan.ts";

/** All that happens by chance in a run: `simulate(scenario, { replay })` repeats it. */
export interface SimulationReplay {
  /** The seed of the simulation. */
  readonly seed: number;
  /** The number of the run, from 1; those without any fault have 0 and less. Both make its latencies, `Math.random` and tokens. */
  readonly run: number;
  /** Options of the mock that were drawn. */
  readonly mock: Pick<MockPlantStoreOptions, "duplicateIds" | "rateLimit">;
  /** The faults, and which requests they affect. */
  readonly faults: readonly PlannedFault[];
  /** After how many timers each life of the scenario was killed: `[1]` means killed after one timer. */
  readonly crashes: readonly number[];
  /** The ids of the plants that were delivered twice. */
  readonly redelivered: readonly string[];
}

/** What is drawn for a run. Without `faults`, these are drawn as requests arrive. */
export type Draw = Omit<SimulationReplay, "faults"> & { readonly faults: SimulationReplay["faults"] | undefined };

/** The share of the runs that are killed, and killed again. */
const SHARE_OF_CRASHES = 0.6;
const MOST_CRASHES = 3;
const SHARE_OF_REDELIVERED = 0.4;

/** The seed of all chance of a run: those of two simulations do not overlap. */
export function seedOf({ seed, run }: Pick<SimulationReplay, "seed" | "run">): number {
  return mix(mix(seed) ^ mix(~run));
}

/** A run without any fault. */
export function faultless(seed: number, run = 0): SimulationReplay {
  return { seed, run, mock: {}, faults: [], crashes: [], redelivered: [] };
}

/**
 * Draws all of a run but its faults.
 *
 * @param jumps - How many jumps of the clock a run without faults takes, or 0 if there are no kills.
 * @param plants - Those of which some are delivered twice.
 */
export function drawRun(seed: number, run: number, jumps: number, plants: readonly NewPlant[]): Draw {
  const random = randomFrom(seedOf({ seed, run }) ^ 0x5bd1e995);
  const perSecond = 1 + Math.floor(random() * 20);
  const mock = {
    ...(random() < 0.3 && { duplicateIds: "reject" as const }),
    ...(random() < 0.3 && { rateLimit: { perSecond } }),
  };
  const crashes: number[] = [];
  while (jumps > 0 && crashes.length < MOST_CRASHES && random() < SHARE_OF_CRASHES) {
    crashes.push(1 + Math.floor(random() * jumps));
  }
  const redelivered = plants.filter(() => random() < SHARE_OF_REDELIVERED).map(({ id }) => `${id}`);
  return { seed, run, mock, faults: undefined, crashes, redelivered };
}

/** Copies of the plants; those that are delivered twice come again, at once or later. */
export function withRedelivered(plants: readonly NewPlant[], { redelivered, ...draw }: Draw): NewPlant[] {
  const delivered = plants.map((plant) => ({ ...plant }));
  for (const plant of plants) {
    if (!redelivered.includes(`${plant.id}`)) continue;
    const random = randomFrom(seedOf(draw) ^ Number(BigInt.asIntN(32, BigInt(plant.id))));
    const first = delivered.findIndex(({ id }) => id === plant.id);
    delivered.splice(first + 1 + Math.floor(random() * (delivered.length - first)), 0, { ...plant });
  }
  return delivered;
}

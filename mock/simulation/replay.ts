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

/** What is wrong, and what the scenario has thrown. */
export interface Problem {
  readonly text: string;
  readonly cause?: unknown;
  /** A plant was not created, and there was no fault. */
  readonly isMissing?: boolean;
}

/** A run that is over. */
interface Ended {
  readonly problem: Problem | undefined;
  readonly replay: SimulationReplay;
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

/** The most runs that reducing may take, and how long they may take: an endless run stands still for seconds. */
const MAX_TRIES = 30;
const MAX_MS = 20_000;

/** Whether two runs have failed by the same kind of problem: ids, times and lines may differ. */
export function failAlike(one: Ended, other: Ended): boolean {
  const kindOf = ({ problem }: Ended) => problem?.text.replace(/\d+/g, "");
  return one.problem !== undefined && kindOf(one) === kindOf(other);
}

/**
 * Leaves out faults, kills, second deliveries and drawn options of the mock as long as the run fails alike without them:
 * large parts of the list first, then one after the other. A burst is one part.
 */
export async function reduce<Run extends Ended>(
  failed: Run,
  repeat: (replay: SimulationReplay) => Promise<Run>,
): Promise<Run> {
  let smallest = failed;
  let size = Math.ceil(partsOf(failed.replay).length / 2);
  let start = 0;
  const end = performance.now() + MAX_MS;
  for (let tries = 0; tries < MAX_TRIES && performance.now() < end && size > 0; tries++) {
    const parts = partsOf(smallest.replay);
    const others = parts.filter((_, index) => index < start || index >= start + size);
    const result = await repeat(withParts(smallest.replay, others));
    if (failAlike(result, failed)) smallest = result;
    else start += size;
    if (start < partsOf(smallest.replay).length) continue;
    start = 0;
    size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return smallest;
}

const LISTS = ["faults", "crashes", "redelivered"] as const;

/** What a run may do without. */
function partsOf(replay: SimulationReplay) {
  const options = Object.entries(replay.mock).map((part) => ({ list: "mock" as const, part }));
  return [...options, ...LISTS.flatMap((list) => replay[list].map((part) => ({ list, part })))];
}

function withParts(replay: SimulationReplay, parts: ReturnType<typeof partsOf>): SimulationReplay {
  const partsIn = (name: string) => parts.filter(({ list }) => list === name).map(({ part }) => part);
  const listed = LISTS.map((name) => [name, partsIn(name)]);
  return { ...replay, mock: Object.fromEntries(partsIn("mock") as never), ...Object.fromEntries(listed) };
}

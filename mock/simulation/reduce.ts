import type { SimulationReplay } from "./replay.ts";
import type { RunResult } from "./run.ts";

/** The most runs that reducing may take, and after how many requests it takes no more: a run that does not end has thousands. */
const MAX_TRIES = 30;
const MAX_REQUESTS = 10_000;

/** Something that a run may do without: returns the replay without it. */
type Omit = (replay: SimulationReplay) => SimulationReplay;

/**
 * Leaves out faults, kills and second deliveries as long as the run fails without them: large parts of the list first, then
 * one after the other.
 *
 * @param repeat - Repeats the run.
 */
export async function reduce(
  failed: RunResult,
  repeat: (replay: SimulationReplay) => Promise<RunResult>,
): Promise<RunResult> {
  let smallest = failed;
  let size = Math.ceil(partsOf(failed.replay).length / 2);
  let start = 0;
  let requests = 0;
  for (let tries = 0; tries < MAX_TRIES && requests < MAX_REQUESTS && size > 0; tries++) {
    const parts = partsOf(smallest.replay);
    const left = parts.slice(start, start + size);
    const result = await repeat(left.reduce((replay, omit) => omit(replay), smallest.replay));
    requests += result.requestCount;
    if (result.problem !== undefined) smallest = result;
    else start += size;
    if (start < partsOf(smallest.replay).length) continue;
    start = 0;
    size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return smallest;
}

function partsOf({ faults, crashes, redelivered }: SimulationReplay): Omit[] {
  return [
    ...faults.map(
      (fault): Omit =>
        (replay) => ({ ...replay, faults: replay.faults.filter((one) => one !== fault) }),
    ),
    ...crashes.map(
      (_, life): Omit =>
        (replay) => ({ ...replay, crashes: replay.crashes.filter((_, index) => index !== life) }),
    ),
    ...redelivered.map(
      (id): Omit =>
        (replay) => ({ ...replay, redelivered: replay.redelivered.filter((one) => one !== id) }),
    ),
  ];
}

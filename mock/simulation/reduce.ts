import type { SimulationReplay } from "./replay.ts";
import type { RunResult } from "./run.ts";

/** The most runs that reducing may take, and after how many jumps of the clock it takes no more: an endless run has many. */
const MAX_TRIES = 30;
const MAX_JUMPS = 40_000;

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
  let jumps = 0;
  for (let tries = 0; tries < MAX_TRIES && jumps < MAX_JUMPS && size > 0; tries++) {
    const parts = partsOf(smallest.replay);
    const others = parts.filter((_, index) => index < start || index >= start + size);
    const result = await repeat(withParts(smallest.replay, others));
    jumps += result.jumps;
    if (result.problem !== undefined) smallest = result;
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
  return LISTS.flatMap((list) => replay[list].map((part) => ({ list, part })));
}

function withParts(replay: SimulationReplay, parts: ReturnType<typeof partsOf>): SimulationReplay {
  const listed = LISTS.map((name) => [name, parts.filter(({ list }) => list === name).map(({ part }) => part)]);
  return { ...replay, ...Object.fromEntries(listed) };
}

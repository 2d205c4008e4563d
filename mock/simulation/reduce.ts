import type { SimulationReplay } from "./draw-run.ts";
import type { SimulatedReport } from "./scenario.ts";

/** How a scenario, and with it a run, has ended. */
export interface End {
  /** What the scenario has returned. */
  readonly report?: SimulatedReport;
  /** What is wrong; absent if nothing is. */
  readonly problem?: string | undefined;
  /** What was thrown. Without a problem it is an error of the client: a right import may throw one, e.g. after ten minutes of 503. */
  readonly cause?: unknown;
  /** A plant was not created, and there was no fault. */
  readonly isMissing?: boolean;
}

/** A run that is over. */
interface EndedRun {
  readonly end: End;
  readonly replay: SimulationReplay;
}

/** The most runs that reducing may take, and how long they may take: an endless run stands still for seconds. */
const MAX_TRIES = 30;
const MAX_MS = 20_000;

/** Whether two runs have failed by the same kind of problem: ids, times and lines may differ. */
export function failAlike(one: EndedRun, other: EndedRun): boolean {
  const kindOf = ({ end }: EndedRun) => end.problem?.replace(/\d+/g, "");
  return one.end.problem !== undefined && kindOf(one) === kindOf(other);
}

/**
 * Leaves out faults, kills, second deliveries and drawn options of the mock as long as the run fails alike without them:
 * large parts of the list first, then one after the other. A burst is one part.
 */
export async function reduce<Run extends EndedRun>(
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

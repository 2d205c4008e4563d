import type { RecordedRequest } from "../service/mock-plant-store.ts";
import type { SimulationReplay } from "./draw-run.ts";
import type { Run } from "./run.ts";

/** How many faults and requests the message of a {@link SimulationError} shows, and how long a replay in it may be. */
const SHOWN_PARTS = 12;
const SHOWN_REQUESTS = 20;
const SHOWN_REPLAY = 2_000;

/**
 * A run of a simulation that has failed, with its faults reduced to those that are needed.
 *
 * @example
 * {@includeCode ../../docs/code/simulation-error.ts}
 */
export class SimulationError extends Error {
  /** `SimulationError`. */
  override readonly name = "SimulationError";
  /** What is wrong. */
  readonly problem: string;
  /** The seed of the simulation. */
  readonly seed: number;
  /** The number of the run. */
  readonly run: number;
  /** `simulate(scenario, { replay })` repeats the reduced run. */
  readonly replay: SimulationReplay;
  /** The faults that are needed: the plant's id, which of its requests, and the fault. */
  readonly faults: SimulationReplay["faults"];
  /** The newest requests of the reduced run. */
  readonly requests: readonly RecordedRequest[];

  /**
   * @param notes - What else is to be said, in lines.
   *
   * @internal
   */
  constructor(problem: string, { replay, requests }: Run, cause: unknown, notes: readonly string[] = []) {
    const json = JSON.stringify(replay);
    super(
      [
        `${problem} (seed ${replay.seed}, run ${replay.run})`,
        ...notes,
        ...described(replay),
        "To repeat it, with your other options:",
        `  simulate(scenario, { replay: ${json.length > SHOWN_REPLAY ? "error.replay" : json} })`,
        "The requests:",
        ...shortened(requests.map(describeRequest), SHOWN_REQUESTS),
      ].join("\n"),
      ...(cause === undefined ? [] : [{ cause }]),
    );
    this.problem = problem;
    this.seed = replay.seed;
    this.run = replay.run;
    this.replay = replay;
    this.faults = replay.faults;
    this.requests = requests;
  }
}

/** The first of some lines, and how many are left out. */
function shortened(lines: readonly string[], shown: number): string[] {
  const more = lines.length - shown;
  return more > 0 ? [...lines.slice(0, shown), `  … and ${more} more`] : [...lines];
}

/** What has to happen for the run to fail, in lines. */
function described({ mock, faults, crashes, redelivered }: SimulationReplay): string[] {
  const lines = [
    ...Object.entries(mock).map(([name, value]) => `  the option ${name} of the mock: ${JSON.stringify(value)}`),
    ...faults.map(describeFault),
    ...crashes.map((jumps, life) => `  a kill in life ${life + 1}, after ${jumps} timers`),
    ...redelivered.map((id) => `  plant ${id} delivered twice`),
  ];
  return lines.length === 0 ? ["No fault is needed."] : ["What is needed for it:", ...shortened(lines, SHOWN_PARTS)];
}

function describeFault({ id, request, times = 1, fault }: SimulationReplay["faults"][number]): string {
  const requests = times > 1 ? `${times} requests from request ${request}` : `request ${request}`;
  return `  ${fault.type} for ${requests} ${id === undefined ? "on, of all plants" : `of plant ${id}`}`;
}

/** One request in a line: `00:00:01.041  POST  /plants  id 3  200  lostResponse`. */
function describeRequest({ at, method, path, plant, status, fault }: RecordedRequest): string {
  const date = new Date(at).toISOString().slice(11, 23);
  const about = plant ? `id ${plant.id}` : "no plant";
  return ["", date, method, path, about, status ?? "no response", fault?.type ?? ""].join("  ").trimEnd();
}

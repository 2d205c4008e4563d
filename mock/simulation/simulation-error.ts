import type { RecordedRequest } from "../service/mock-plant-store.ts";
import type { SimulationReplay } from "./replay.ts";
import type { RunResult } from "./run.ts";

/** How many faults and requests the message of a {@link SimulationError} shows. */
const SHOWN = 40;

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
  /** The seed of the run. */
  readonly seed: number;
  /** `simulate(scenario, { replay })` repeats the reduced run. */
  readonly replay: SimulationReplay;
  /** The faults that are needed: the plant's id, which of its requests, and the fault. */
  readonly faults: SimulationReplay["faults"];
  /** The newest requests of the reduced run. */
  readonly requests: readonly RecordedRequest[];

  /** @internal */
  constructor(problem: string, { replay, requests }: RunResult, cause: unknown) {
    super(
      [
        `${problem} (seed ${replay.seed})`,
        ...described(replay),
        "To repeat it, with your other options:",
        `  simulate(scenario, { replay: ${JSON.stringify(replay)} })`,
        "The requests:",
        ...requests.slice(0, SHOWN).map(describeRequest),
      ].join("\n"),
      ...(cause === undefined ? [] : [{ cause }]),
    );
    this.problem = problem;
    this.seed = replay.seed;
    this.replay = replay;
    this.faults = replay.faults;
    this.requests = requests;
  }
}

/** What has to happen for the run to fail, in lines. */
function described({ faults, crashes, redelivered }: SimulationReplay): string[] {
  const lines = [
    ...faults.map(({ id, request, fault }) => `  ${fault.type} for request ${request} of plant ${id}`),
    ...crashes.map((jumps, life) => `  a kill in life ${life + 1}, after ${jumps} timers`),
    ...redelivered.map((id) => `  plant ${id} delivered twice`),
  ];
  return lines.length === 0 ? ["No fault is needed."] : ["What is needed for it:", ...lines.slice(0, SHOWN)];
}

/** One request in a line: `00:00:00.041  POST  /plants  id 3  200  lostResponse`. */
function describeRequest({ at, method, path, plant, status, fault }: RecordedRequest): string {
  const date = new Date(at).toISOString().slice(11, 23);
  const about = plant ? `id ${plant.id}` : "no plant";
  return ["", date, method, path, about, status ?? "no response", fault?.type ?? ""].join("  ").trimEnd();
}

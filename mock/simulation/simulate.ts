import { boolean, checkedLater, integer, mustBe, type Rules } from "../../src/checks/rules.ts";
import type { NewPlant } from "../../src/contract/plant.ts";
import { checkGlobals } from "../memory/create-mock.ts";
import { checkOptions } from "../service/check-options.ts";
import type { Fault } from "../service/faults/fault-table.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { RecordedRequest } from "../service/mock-plant-store.ts";
import { FAULT_TYPES, type PlannedFault } from "./fault-plan.ts";
import { codeOf, describeRequest } from "./report.ts";
import { type RunResult, type RunSettings, runOnce, type Scenario } from "./run.ts";

/** Options of {@link simulate}. */
export interface SimulateOptions {
  /**
   * How often the scenario runs.
   *
   * @defaultValue 1_000
   */
  runs?: number | undefined;
  /**
   * The seed of the first run; the next ones have the following numbers. The same seed gives the same run.
   *
   * @defaultValue 1
   */
  seed?: number | undefined;
  /**
   * The plants to create: their number, or the plants themselves.
   *
   * @defaultValue 6
   */
  plants?: number | readonly NewPlant[] | undefined;
  /**
   * The kinds of fault that may happen.
   *
   * @defaultValue every kind
   */
  faults?: readonly Fault["type"][] | undefined;
  /**
   * Whether some plants meet the same fault each time they are sent, for ever.
   *
   * @defaultValue false
   */
  permanent?: boolean | undefined;
  /**
   * Options of the mock that are the same in each run, such as `{ duplicateIds: "reject" }`.
   *
   * @defaultValue `duplicateIds` and `rateLimit` are drawn, the others are the mock's defaults
   */
  mock?: Omit<MockPlantStoreOptions, "time" | "maxRecordedRequests"> | undefined;
}

/** A simulation in which no run has failed. */
export interface SimulationSummary {
  /** How often the scenario ran. */
  readonly runs: number;
  /** The requests of all runs. */
  readonly requests: number;
  /** How often a fault happened. */
  readonly faults: number;
}

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
  /** `simulate(scenario, { seed, runs: 1 })` repeats the run. */
  readonly seed: number;
  /** The faults that are needed: the plant's id, which of its requests, and the fault. */
  readonly faults: readonly PlannedFault[];
  /** The requests of the reduced run. */
  readonly requests: readonly RecordedRequest[];

  /** @internal */
  constructor(seed: number, { problem = "", faults, requests, options }: RunResult) {
    super(
      [
        `${problem} (seed ${seed})`,
        faults.length === 0 ? "No fault is needed; the mock:" : "The faults that are needed, as code for a test:",
        `  const store = createMockPlantStore(${JSON.stringify({ time: "virtual", ...options })});`,
        ...faults.slice(0, SHOWN).map(codeOf),
        `To repeat the whole run: simulate(scenario, { seed: ${seed}, runs: 1 })`,
        "The requests:",
        ...requests.slice(0, SHOWN).map(describeRequest),
      ].join("\n"),
    );
    this.problem = problem;
    this.seed = seed;
    this.faults = faults;
    this.requests = requests;
  }
}

const rules: Rules<SimulateOptions> = {
  runs: integer(1),
  seed: integer(0, 2 ** 31 - 1),
  plants: mustBe("a number of plants, or the plants", (value) => Number.isInteger(value) || Array.isArray(value)),
  faults: mustBe(`a list of ${FAULT_TYPES.join(", ")}`, (value) =>
    [value].flat().every((type) => FAULT_TYPES.includes(type as Fault["type"])),
  ),
  permanent: boolean,
  mock: checkedLater,
};

/**
 * Runs code that creates plants again and again, each time against a new mock in virtual time, with latencies and faults
 * drawn from a seed. A run fails if a plant that was reported created is not stored, or one reported failed is; if a plant is
 * stored twice, or not reported; if the code throws anything but an error of the client; or if it does not end.
 *
 * During a run, `setTimeout`, `Date` and `Math.random` are those of the virtual clock.
 *
 * @param scenario - Creates the plants, and reports the outcome of each.
 * @param options - The number of runs, the seed, the plants, and the kinds of fault.
 * @returns How much was tried.
 * @throws A {@link SimulationError} with the first seed that fails, and the faults that are needed for it.
 *
 * @example
 * {@includeCode ../../docs/code/simulate.ts#right}
 */
export async function simulate(scenario: Scenario, options: SimulateOptions = {}): Promise<SimulationSummary> {
  checkGlobals();
  const {
    runs = 1_000,
    seed = 1,
    plants = 6,
    faults = FAULT_TYPES,
    permanent = false,
    mock = {},
  } = checkOptions(options, rules);
  const settings = { plants: plantsOf(plants), types: faults, permanent, mock };
  const summary = { runs, requests: 0, faults: 0 };
  for (let run = 0; run < runs; run++) {
    const result = await runOnce(scenario, seed + run, settings);
    summary.requests += result.requests.length;
    summary.faults += result.faults.length;
    if (result.problem !== undefined)
      throw new SimulationError(seed + run, await reduce(scenario, seed + run, settings, result));
  }
  return summary;
}

function plantsOf(plants: number | readonly NewPlant[]): readonly NewPlant[] {
  if (typeof plants !== "number") return plants;
  return Array.from({ length: plants }, (_, index) => ({ id: index + 1, name: `Plant ${index + 1}` }));
}

/** The most runs that reducing may take, and after how many requests it takes no more: a run that does not end has thousands. */
const MAX_TRIES = 30;
const MAX_REQUESTS = 10_000;

/** Leaves out faults as long as the run fails without them: large parts of the list first, then one fault after the other. */
async function reduce(scenario: Scenario, seed: number, settings: RunSettings, failed: RunResult): Promise<RunResult> {
  let smallest = failed;
  let size = Math.ceil(failed.faults.length / 2);
  let start = 0;
  let requests = 0;
  for (let tries = 0; tries < MAX_TRIES && requests < MAX_REQUESTS && size > 0; tries++) {
    const kept = smallest.faults.filter((_, index) => index < start || index >= start + size);
    const result = await runOnce(scenario, seed, settings, kept);
    requests += result.requests.length;
    if (result.problem !== undefined) smallest = result;
    else start += size;
    if (start < smallest.faults.length) continue;
    start = 0;
    size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return smallest;
}

import { boolean, checkedLater, integer, mustBe, type Rules } from "../../src/checks/rules.ts";
import type { NewPlant } from "../../src/contract/plant.ts";
import { checkGlobals } from "../memory/create-mock.ts";
import { checkOptions } from "../service/check-options.ts";
import type { Fault } from "../service/faults/fault-table.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import { toStoredPlant } from "../service/stored-plant.ts";
import { RealWork, UNSEEN } from "../time/real-work.ts";
import { replaceGlobals } from "../time/virtual-globals.ts";
import { describeThrown } from "./describe-thrown.ts";
import { FAULT_TYPES } from "./fault-plan.ts";
import { type Lives, livesOfProcess } from "./lives.ts";
import { reduce } from "./reduce.ts";
import { drawCrashes, drawOptions, drawRedelivered, type SimulationReplay } from "./replay.ts";
import { type Draw, Run, type RunResult } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import { SimulationError } from "./simulation-error.ts";

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
   * The plants to create: their number, or the plants themselves, with different ids.
   *
   * @defaultValue 6
   */
  plants?: number | readonly NewPlant[] | undefined;
  /**
   * The kinds of fault that may happen; none if the list is empty.
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
   * Whether the scenario is killed in the middle of some runs, and started again.
   *
   * @defaultValue false
   */
  crashes?: boolean | undefined;
  /**
   * Whether some plants are delivered twice, as by a queue.
   *
   * @defaultValue false
   */
  redeliveries?: boolean | undefined;
  /**
   * Options of the mock that are the same in each run, such as `{ duplicateIds: "reject" }`.
   *
   * @defaultValue `duplicateIds` and `rateLimit` are drawn, the others are the mock's defaults
   */
  mock?: Omit<MockPlantStoreOptions, "time" | "maxRecordedRequests"> | undefined;
  /** Repeats one run, that of a {@link SimulationError}, instead of drawing any. Pass the same `plants` and `mock`. */
  replay?: SimulationReplay | undefined;
}

/** A simulation in which no run has failed. */
export interface SimulationSummary {
  /** How often the scenario ran. */
  readonly runs: number;
  /** The requests of all runs. */
  readonly requests: number;
  /** How often a fault happened. */
  readonly faults: number;
  /** How many plants were reported created, in all runs. */
  readonly created: number;
  /** How many plants were reported failed. */
  readonly failed: number;
  /** How many plants were reported unknown. */
  readonly unknown: number;
  /** How many runs ended with a PlantStoreError of the client; these are only checked for doubles. */
  readonly errors: number;
}

const rules: Rules<SimulateOptions> = {
  runs: integer(1),
  seed: integer(0, 2 ** 31 - 1),
  plants: mustBe("a number of plants from 1, or a list of plants", (value) =>
    Array.isArray(value) ? value.length > 0 : integer(1)(value) === undefined,
  ),
  faults: mustBe(
    `a list of ${FAULT_TYPES.join(", ")}`,
    (value) => Array.isArray(value) && value.every((type) => FAULT_TYPES.includes(type)),
  ),
  permanent: boolean,
  crashes: boolean,
  redeliveries: boolean,
  mock: checkedLater,
  replay: mustBe("the replay of a SimulationError", (value) => "faults" in Object(value)),
};

/**
 * Runs code that creates plants again and again, each time against a new mock in virtual time, with latencies and faults
 * drawn from a seed. A run fails if a plant that was reported created is not stored, or one reported failed is; if a plant is
 * stored twice, or not reported; if the code sends no request, or throws anything but an error of the client; or if it does
 * not end. First, the code has to create the plants without any fault.
 *
 * During a run, the timers, `Date`, `performance.now` and `Math.random` are those of the virtual clock. A second simulation
 * waits for the first.
 *
 * @param scenario - Creates the plants, and reports the outcome of each.
 * @param options - The number of runs, the seed, the plants, and what may happen.
 * @returns How much was tried.
 * @throws A {@link SimulationError} with the first seed that fails, and the faults that are needed for it.
 * @throws TypeError if an option is invalid, if timers are faked, or if it is called within a scenario.
 *
 * @example
 * {@includeCode ../../docs/code/simulate.ts#right}
 */
export async function simulate(scenario: Scenario, options: SimulateOptions = {}): Promise<SimulationSummary> {
  checkGlobals();
  const checked = checkOptions(options, rules);
  const plants = plantsOf(checked.plants ?? 6);
  const lives = livesOfProcess();
  if (lives.isWithin) throw new TypeError("simulate: was called within a scenario; call it after that simulation");
  const waiting = lives.last.then(() => simulateAlone(scenario, checked, plants, lives));
  lives.last = waiting.catch(() => {});
  return waiting;
}

/** Runs one simulation: the globals are those of the process. */
async function simulateAlone(
  scenario: Scenario,
  options: SimulateOptions,
  plants: readonly NewPlant[],
  lives: Lives,
): Promise<SimulationSummary> {
  refuseFakeTimers();
  const { faults: types = FAULT_TYPES, permanent = false, mock = {} } = options;
  const settings = { plants, types, permanent, mock, lives, realWork: new RealWork() };
  const run = (draw: Draw) => new Run(draw, settings).run(scenario);
  const restore = replaceGlobals(() => lives.current && lives.find());
  try {
    const tally = new Tally();
    if (options.replay) await replayRun(run, options.replay, tally);
    else await simulateRuns(run, options, plants, tally);
    tally.checkCompared();
    return tally.summary;
  } finally {
    restore();
  }
}

type RunDraw = (draw: Draw) => Promise<RunResult>;

async function replayRun(run: RunDraw, replay: SimulationReplay, tally: Tally): Promise<void> {
  const result = await run(replay);
  throwIfFailed(result);
  const { faults, crashes, redelivered, mock } = replay;
  if (faults.length + crashes.length + redelivered.length + Object.keys(mock).length === 0) throwIfMissing(result);
  tally.add(result);
}

async function simulateRuns(
  run: RunDraw,
  { runs = 1_000, seed: first = 1, crashes, redeliveries }: SimulateOptions,
  plants: readonly NewPlant[],
  tally: Tally,
): Promise<void> {
  const jumps = await checkFaultless(run, first);
  for (let seed = first; seed < first + runs; seed++) {
    const result = await run({
      seed,
      mock: drawOptions(seed),
      faults: undefined,
      crashes: crashes ? drawCrashes(seed, jumps) : [],
      redelivered: redeliveries ? drawRedelivered(seed, plants) : [],
    });
    if (result.problem) throwIfFailed(await reduce(result, run));
    tally.add(result);
  }
}

/** How often a scenario may leave a plant out, if it does so by chance. */
const MAX_FAULTLESS = 10;

/** Checks that the scenario creates what the mock does not refuse. Returns how often the clock jumps meanwhile. */
async function checkFaultless(run: RunDraw, first: number): Promise<number> {
  for (let seed = first; ; seed++) {
    const result = await run({ seed, mock: {}, faults: [], crashes: [], redelivered: [] });
    throwIfFailed(result);
    if (result.missing.length === 0) return result.jumps;
    if (seed === first + MAX_FAULTLESS - 1) throwIfMissing(result);
  }
}

function throwIfMissing(result: RunResult): void {
  const { missing, clientError } = result;
  if (missing.length === 0) return;
  const reason = clientError === undefined ? UNSEEN : `the scenario threw ${describeThrown(clientError)}`;
  const text = `without any fault, plant ${missing[0]} was not created; ${reason}`;
  throw new SimulationError(text, result, clientError);
}

/** What all runs have shown. */
class Tally {
  readonly summary = { runs: 0, requests: 0, faults: 0, created: 0, failed: 0, unknown: 0, errors: 0 };
  /** The last run in which something happened, and whether one of them has returned a report. */
  #last: RunResult | undefined;
  #isCompared = false;

  add(result: RunResult): void {
    const { replay, requestCount, verdicts, clientError } = result;
    const { summary } = this;
    summary.runs++;
    summary.requests += requestCount;
    summary.faults += replay.faults.length;
    for (const [verdict] of verdicts.values()) summary[verdict]++;
    if (clientError !== undefined) summary.errors++;
    if (replay.faults.length + replay.crashes.length === 0) return;
    this.#last = result;
    this.#isCompared ||= clientError === undefined;
  }

  /** @throws SimulationError if every run with a fault has thrown. */
  checkCompared(): void {
    if (!this.#last || this.#isCompared) return;
    const problem =
      "every run with a fault ended with a PlantStoreError, so nothing was compared: catch it, and report";
    throw new SimulationError(problem, this.#last, this.#last.clientError);
  }
}

function throwIfFailed(result: RunResult): void {
  const { problem } = result;
  if (problem) throw new SimulationError(problem.text, result, problem.cause);
}

/** Fake timers would be replaced by virtual ones, and restored in the middle of another test. */
function refuseFakeTimers(): void {
  const { Date: now, setTimeout: timeout } = globalThis;
  if (!("isFake" in now || "isMock" in now || "clock" in timeout)) return;
  throw new TypeError("simulate: the timers are faked; call vi.useRealTimers() or jest.useRealTimers() first");
}

function plantsOf(plants: number | readonly NewPlant[]): readonly NewPlant[] {
  if (typeof plants === "number") {
    return Array.from({ length: plants }, (_, index) => ({ id: index + 1, name: `Plant ${index + 1}` }));
  }
  const ids = new Set<number | bigint>();
  return plants.map((plant, index) => {
    const stored = toStoredPlant(plant, `plants[${index}]`);
    if (ids.has(stored.id)) throw new TypeError(`plants[${index}]: the id ${stored.id} is that of another plant`);
    ids.add(stored.id);
    return stored;
  });
}

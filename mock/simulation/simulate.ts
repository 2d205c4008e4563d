import { boolean, checkedLater, integer, mustBe, type Rules } from "../../src/checks/rules.ts";
import type { NewPlant } from "../../src/contract/plant.ts";
import { checkGlobals } from "../memory/create-mock.ts";
import { checkOptions } from "../service/check-options.ts";
import type { Fault } from "../service/faults/fault-table.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import { toStoredPlant } from "../service/stored-plants.ts";
import { type Lives, livesOfProcess } from "../time/life.ts";
import { RealWork, UNSEEN } from "../time/real-work.ts";
import { replaceGlobals } from "../time/virtual-globals.ts";
import { type Draw, drawRun, faultless, type SimulationReplay } from "./draw-run.ts";
import { FAULT_TYPES } from "./fault-plan.ts";
import { failAlike, reduce } from "./reduce.ts";
import { Run, type RunSettings } from "./run.ts";
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
   * The seed of all runs. The same seed gives the same runs, and another one others.
   *
   * @defaultValue 1
   */
  seed?: number | undefined;
  /** Ends the simulation, e.g. that of a test that has timed out: `test("…", ({ signal }) => simulate(scenario, { signal }))`. */
  signal?: AbortSignal | undefined;
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
  /** How many requests met a fault. */
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
  signal: mustBe("an AbortSignal", (value) => "aborted" in Object(value)),
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
  replay: mustBe("the replay of a SimulationError", (value) =>
    ["seed", "run", "faults"].every((name) => name in Object(value)),
  ),
};

/**
 * Runs code that creates plants again and again, each time against a new mock in virtual time, with latencies and faults
 * drawn from a seed. A run fails if a plant that was reported created is not stored, or one reported failed is; if a plant is
 * stored twice, or not reported; if the code sends no request, throws anything but an error of the client, leaves a rejection
 * unhandled, or ends the process; or if it does not end. First, the code has to create the plants without any fault.
 *
 * For the code of the scenario, and for no other, the timers, `Date`, `performance.now` and `Math.random` are those of the
 * virtual clock.
 *
 * @param scenario - Creates the plants, and reports the outcome of each.
 * @param options - The number of runs, the seed, the plants, and what may happen.
 * @returns How much was tried.
 * @throws A {@link SimulationError} with the first run that fails, and the faults that are needed for it.
 * @throws TypeError if an option is invalid, if timers are faked, if it is called within a scenario, or if the runtime has no
 * async context, as a browser.
 *
 * @example
 * {@includeCode ../../docs/code/simulate.ts#right}
 */
export async function simulate(scenario: Scenario, options: SimulateOptions = {}): Promise<SimulationSummary> {
  checkGlobals();
  const checked = checkOptions(options, rules);
  const plants = plantsOf(checked.plants ?? 6);
  const lives = livesOfProcess();
  if (lives.findLive()) {
    throw new TypeError("simulate: was called within a scenario; call it after that simulation");
  }
  refuseFakeTimers();
  const replace = () => replaceGlobals(lives);
  return lives.simulate(replace, () => new Simulation(scenario, checked, plants, lives).simulate());
}

/** How many runs without any fault may leave plants. */
const MAX_FAULTLESS = 10;

/** The runs of one simulation, and what all of them have shown. */
class Simulation {
  readonly #scenario: Scenario;
  readonly #options: SimulateOptions;
  readonly #settings: RunSettings;
  readonly #tally = { runs: 0, requests: 0, faults: 0, created: 0, failed: 0, unknown: 0, errors: 0 };
  /** The run that goes on. */
  #current: Run | undefined;
  /** The last run in which something happened, and whether one of them has returned a report. */
  #last: Run | undefined;
  #isCompared = false;

  constructor(scenario: Scenario, options: SimulateOptions, plants: readonly NewPlant[], lives: Lives) {
    const { faults: types = FAULT_TYPES, permanent = false, mock = {} } = options;
    this.#scenario = scenario;
    this.#options = options;
    const realWork = new RealWork();
    this.#settings = { plants, types, permanent, mock, lives, realWork };
  }

  async simulate(): Promise<SimulationSummary> {
    const { signal, replay } = this.#options;
    const abort = () => this.#current?.abort();
    signal?.addEventListener("abort", abort);
    try {
      if (replay) this.#add(await this.#confirmed(await this.#try(replay)));
      else await this.#runAll();
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    this.#checkCompared();
    return this.#tally;
  }

  readonly #try = async (draw: Draw): Promise<Run> => {
    const { signal } = this.#options;
    if (signal?.aborted) throw signal.reason;
    this.#current = new Run(draw, this.#settings);
    const result = await this.#current.run(this.#scenario);
    if (signal?.aborted) throw signal.reason;
    return result;
  };

  async #runAll(): Promise<void> {
    const { runs = 1_000, seed = 1, crashes, redeliveries } = this.#options;
    const { jumps } = (await this.#runFaultless(seed)).clock;
    for (let run = 1; run <= runs; run++) {
      const draw = drawRun(seed, run, crashes ? jumps : 0, redeliveries ? this.#settings.plants : []);
      this.#add(await this.#confirmed(await this.#try(draw)));
    }
  }

  /** Code that stops by chance may leave plants in a run without any fault, but not in each of them. */
  async #runFaultless(seed: number): Promise<Run> {
    const first = await this.#try(faultless(seed));
    let result = first;
    for (let run = -1; result.end.isMissing && run > -MAX_FAULTLESS; run--) {
      result = await this.#try(faultless(seed, run));
    }
    return this.#confirmed(result.end.isMissing ? first : result);
  }

  /**
   * Repeats a run that has failed, and again when it is reduced: only what fails alike each time is believed.
   *
   * @returns The run, or a repeated one which shows that the failed one did not count.
   * @throws SimulationError with the reduced run.
   */
  async #confirmed(result: Run): Promise<Run> {
    if (!result.end.problem) return result;
    const again = await this.#repeatSlowly(result, result);
    if (!again.end.problem) return again;
    const reduced = this.#options.replay ? again : await reduce(again, this.#try);
    const last = await this.#repeatSlowly(reduced, result);
    if (!last.end.problem) return last;
    throw errorOf(last);
  }

  /** Real work that no runtime shows may have been overtaken: it gets more time, and if some comes to light, this run counts. */
  async #repeatSlowly({ replay }: Run, failed: Run): Promise<Run> {
    const { realWork } = this.#settings;
    const { unseen } = realWork;
    const again = await realWork.repeat(() => this.#try(replay));
    // A module is loaded once, in the first run, and no repeat shows it.
    const wasLoading = failed.replay.run <= 0 && failed.longestMs >= NAMED_WITHOUT_FAULTS_MS;
    const wasOvertaken = !again.end.problem && (wasLoading || realWork.unseen > unseen);
    if (wasOvertaken) realWork.forgetStandstill();
    if (wasOvertaken || failAlike(again, failed)) return again;
    throw errorOf(failed, doubtOf(again));
  }

  #add(run: Run): void {
    const { replay, network, plan, verdicts, end } = run;
    const tally = this.#tally;
    tally.runs++;
    tally.requests += network.requests;
    tally.faults += plan.affected;
    for (const [verdict] of verdicts.values()) tally[verdict]++;
    if (end.cause !== undefined) tally.errors++;
    if (replay.faults.length + replay.crashes.length === 0) return;
    this.#last = run;
    this.#isCompared ||= end.cause === undefined;
  }

  /** @throws SimulationError if every run with a fault has thrown. */
  #checkCompared(): void {
    if (!this.#last || this.#isCompared) return;
    const problem =
      "every run with a fault ended with a PlantStoreError, so nothing was compared: catch it, and report";
    this.#last.end = { ...this.#last.end, problem };
    throw errorOf(this.#last);
  }
}

/** A wait of this length is named by the error of its run, because it may have overtaken real work; without faults, a short one. */
const NAMED_MS = 60_000;
const NAMED_WITHOUT_FAULTS_MS = 400;

function errorOf(failed: Run, notes: readonly string[] = []): SimulationError {
  const { end, replay, longestMs } = failed;
  const { problem = "", cause } = end;
  const namedMs = replay.faults.length > 0 ? NAMED_MS : NAMED_WITHOUT_FAULTS_MS;
  const isNamed = longestMs >= namedMs && !problem.includes(UNSEEN);
  const wait = `A wait of ${longestMs / 1_000} s ended while no real work was seen. If there was some: ${UNSEEN}.`;
  return new SimulationError(problem, failed, cause, isNamed ? [...notes, wait] : notes);
}

/** What is said of a failure that did not come again. */
function doubtOf({ end: { problem } }: Run): string[] {
  const second = problem ? `failed in another way: ${problem}` : "passed";
  return [
    `It is not reproducible: the same run, repeated, ${second}.`,
    "It may depend on chance or a clock that is not virtual (crypto, Intl), on what a module remembers, or on real work.",
  ];
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

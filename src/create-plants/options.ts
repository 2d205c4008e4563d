import { signalProblem } from "../call/abort.ts";
import { type Clock, clockProblem } from "../call/clock.ts";
import { callable, integer, mustBe, type Rule } from "../checks/rules.ts";
import { checkOptions } from "../config-error.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { AnyPlantStoreError } from "../errors.ts";
import type { PlantJournal } from "./journal.ts";

/** Options of {@link createPlants}. Passing `undefined` equals omitting the option. */
export interface CreatePlantsOptions<Input extends NewPlant = NewPlant> {
  /**
   * The maximum number of plants that are being sent, or waiting for your loop, 1 or more.
   *
   * @defaultValue 16
   */
  concurrency?: number | undefined;
  /**
   * Ends the run: it stops pulling input, and aborts the plants in flight.
   *
   * @defaultValue no signal
   */
  signal?: AbortSignal | undefined;
  /**
   * How long to keep trying while the service refuses every plant (429, or 503 with Retry-After and the contract's Error)
   * or fails, in milliseconds; `Infinity` for no limit. After this time, or if the service asks for a longer wait, the run
   * ends. A plant that is refused for this time while others are created fails alone.
   *
   * @defaultValue 600_000 (ten minutes); but if the first requests fail, the run ends after some ten seconds, because the URL
   * or the token may be wrong
   */
  maxWaitMs?: number | undefined;
  /**
   * How often a plant that fails while others are created is sent again, 0 to 1,000, if it certainly does not exist, or if
   * its error is `retryable`. Refusals and tries during an outage do not count. The client's own `maxRetries` does not apply.
   *
   * @defaultValue 2
   */
  maxRetries?: number | undefined;
  /**
   * Remembers which plants were sent and created, so that a run that was killed can be continued: see
   * {@link PlantJournal}.
   *
   * @defaultValue no journal
   */
  journal?: PlantJournal<Input> | undefined;
  /**
   * The source of time and randomness, for tests.
   *
   * @defaultValue that of the client, or the runtime's
   */
  clock?: Clock | undefined;
  /**
   * Called when the run pauses, resumes or changes its pace. Errors that it throws are ignored.
   *
   * @defaultValue no observer
   */
  onPace?: ((pace: CreatePlantsPace) => void) | undefined;
}

/** The current pace of {@link createPlants}. */
export interface CreatePlantsPace {
  /** End of the pause, in milliseconds since the epoch; undefined while requests are sent. */
  readonly pausedUntilMs: number | undefined;
  /** The reason of the pause: the last refusal or failure; undefined while requests are sent. */
  readonly error: AnyPlantStoreError | undefined;
  /** The maximum number of requests that start per second; undefined until the service refuses one. */
  readonly ratePerSecond: number | undefined;
  /** The maximum number of requests in flight; never more than `concurrency`. */
  readonly window: number;
}

const duration: Rule = /* @__PURE__ */ mustBe(
  "a number of milliseconds, 0 or more, or Infinity",
  (value) => typeof value === "number" && value >= 0,
);

const isJournal: Rule = /* @__PURE__ */ mustBe("a PlantJournal, with the methods claim and record", (value) => {
  const { claim, record } = Object(value) as Partial<PlantJournal>;
  return typeof claim === "function" && typeof record === "function";
});

/** Checked options, with the defaults that are the same for every run. */
export type RunOptions<Input extends NewPlant> = CreatePlantsOptions<Input> & {
  readonly concurrency: number;
  readonly maxRetries: number;
};

/**
 * Checks the options of {@link createPlants}.
 *
 * @throws A {@link PlantStoreConfigError} that names the option and the rule.
 */
export function readCreatePlantsOptions<Input extends NewPlant>(given: CreatePlantsOptions<Input>): RunOptions<Input> {
  const options = checkOptions(given, {
    concurrency: integer(1),
    signal: signalProblem,
    maxWaitMs: duration,
    maxRetries: integer(0, 1_000),
    journal: isJournal,
    clock: clockProblem,
    onPace: callable,
  });
  const { concurrency = 16, maxRetries = 2 } = options;
  return { ...options, concurrency, maxRetries };
}

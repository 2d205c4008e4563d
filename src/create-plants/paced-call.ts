import type { Validation } from "../checks/schema.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { PlantStoreApiError, PlantStoreError, ReplyFields } from "../errors.ts";
import type { CreatePlantResult, PlantCreator } from "../plant-creator.ts";
import type { AttemptLog } from "../transport/attempt-log.ts";
import { PACING, type Pacing } from "../transport/call.ts";
import { isRefused } from "../transport/verdict.ts";
import type { Answer } from "./pacer.ts";

/** How one try of a plant ended. */
export interface Try {
  /** Its meaning for the pace. */
  readonly answer: Answer;
  /** The plant's result; absent if it is tried again. */
  readonly result?: CreatePlantResult;
}

type FailedResult = Extract<CreatePlantResult, { readonly ok: false }>;

/** What the calls of one run share. */
export interface RunContext {
  readonly creator: Pick<PlantCreator, "tryCreatePlant">;
  readonly signal: AbortSignal;
  /** Asked before each request; false holds it back. */
  readonly mayStart: () => boolean;
}

/**
 * The call of one plant, over all its tries; each has a deadline of its own.
 *
 * It passes itself to the client in the options of the call. A creator that drops them, such as a fake in a test, retries
 * by itself, is not held back, and begins each try with attempt 1.
 */
export class PacedCall implements Pacing {
  /** The result if it is not tried again; undefined before it was sent. */
  last: FailedResult | undefined;
  log: AttemptLog | undefined;
  checked: Validation<unknown> | undefined;
  /** How many plants the run must have pulled before it may send this one. */
  turn: number;
  refusals = 0;
  /** Retries since the last refusal. */
  retries = 0;
  /** The time of the first refusal, and the number of requests that had been admitted by then. */
  refusedSince = 0;
  admissions = 0;
  readonly input: NewPlant;
  readonly index: number;
  readonly #context: RunContext;
  /** Whether the last request may start; undefined if the creator does not ask. */
  #mayStart: boolean | undefined;

  constructor(context: RunContext, input: NewPlant, index: number) {
    this.#context = context;
    this.input = input;
    this.index = index;
    this.turn = index;
  }

  mayStart(retries: number): boolean {
    this.retries = retries;
    this.#mayStart = this.#context.mayStart();
    return this.#mayStart;
  }

  /** Tries once more; `judge` tells what the result means. */
  try(): Promise<CreatePlantResult> {
    this.#mayStart = undefined;
    const { creator, signal } = this.#context;
    const options = { signal, [PACING]: this };
    return creator.tryCreatePlant(this.input, options);
  }

  judge(given: CreatePlantResult): Try {
    const result = this.#continue(given);
    if (result.ok) return { answer: "admitted", result };
    if (this.#mayStart === false) {
      if (result.attempts.length > (this.last?.attempts.length ?? 0)) this.last = result;
      return { answer: "unsent" };
    }
    if (!this.#isRefusal(result.error)) return { answer: answerOf(result), result };
    this.last = result;
    this.retries = 0;
    return { answer: result.error };
  }

  #isRefusal(error: PlantStoreError & Partial<ReplyFields>): error is PlantStoreApiError {
    const { kind, status, retryAfterMs, outcome } = error;
    // If it may have stored the plant, the client's `retry` option decides. Other creators do not reveal theirs.
    if (outcome !== "rejected" && this.#mayStart === undefined) return false;
    return isRefused(status, retryAfterMs, kind === "api");
  }

  /** Adds the earlier tries to the result of a creator that dropped the options. */
  #continue(result: CreatePlantResult): CreatePlantResult {
    const earlier = this.last?.attempts;
    if (!earlier || result.attempts[0] === earlier[0]) return result;
    const later = result.attempts.map((attempt, i) => Object.freeze({ ...attempt, number: earlier.length + i + 1 }));
    const attempts = [...earlier, ...later];
    if (!result.ok) {
      Reflect.defineProperty(result.error, "attempts", { value: attempts });
      if (result.error.outcome === "not-sent") Reflect.defineProperty(result.error, "outcome", { value: "rejected" });
    }
    return { ...result, attempts };
  }
}

/** What a failure other than a refusal means for the pace. */
function answerOf({ attempts }: FailedResult): Answer {
  if (attempts.at(-1)?.status !== undefined) return "admitted";
  return attempts.length === 0 ? "unsent" : "unanswered";
}

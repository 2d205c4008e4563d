import { worse } from "../call/attempt-log.ts";
import { isRefusal } from "../call/verdict.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { Attempt, Outcome, PlantStoreError, ReplyFields } from "../errors.ts";
import type { CreatePlantResult } from "../plant-creator.ts";
import type { Answer } from "./pacer.ts";

type FailedResult = Extract<CreatePlantResult, { readonly ok: false }>;

/** One plant of a run, over all its tries. */
export class Job {
  readonly input: NewPlant;
  readonly index: number;
  /** The result if it is not tried again; undefined before it was sent. */
  last: FailedResult | undefined;
  /** How often it was sent. */
  tries = 0;
  /** The time of its first refusal; Infinity if there is none. */
  refusedSince = Number.POSITIVE_INFINITY;
  /** Tries again for any other reason than a refusal. */
  retries = 0;
  #attempts: readonly Attempt[] = [];
  #outcome: Outcome = "not-sent";

  constructor(input: NewPlant, index: number) {
    this.input = input;
    this.index = index;
  }

  /** Adds the result of one try: its attempts are numbered on, and its outcome is the worst so far. */
  add(result: CreatePlantResult): CreatePlantResult {
    const earlier = this.#attempts;
    if (result.ok && earlier.length === 0) return result;
    const later = result.attempts.map((attempt, i) => ({ ...attempt, number: earlier.length + i + 1 }));
    const attempts = earlier.length === 0 ? result.attempts : [...earlier, ...later];
    this.#attempts = attempts;
    if (result.ok) return { ...result, attempts };
    this.#outcome = worse(this.#outcome, result.error.outcome);
    this.last = { ...result, outcome: this.#outcome, attempts };
    return this.last;
  }
}

/** What the result of a try means for the pace. */
export function answerOf(result: CreatePlantResult): Answer {
  if (result.ok) return "admitted";
  const { attempts } = result;
  const error: PlantStoreError & Partial<ReplyFields> = result.error;
  const { kind, status = 0, retryAfterMs } = error;
  if (error.retryable) return { isRefusal: isRefusal(status, retryAfterMs, kind === "api"), retryAfterMs };
  if (attempts.at(-1)?.status !== undefined) return "admitted";
  return attempts.length === 0 ? "unsent" : "unanswered";
}

import type { NewPlant } from "../contract/plant.ts";
import type { Attempt, Outcome, PlantStoreApiError, PlantStoreError, ReplyFields } from "../errors.ts";
import type { CreatePlantResult, PlantCreator } from "../plant-creator.ts";
import { PACING, type Pacing } from "../transport/call.ts";
import { isRefused } from "../transport/verdict.ts";

const NONE: readonly never[] = Object.freeze([]);

/** How one try of a plant ended. */
export type Try =
  /** The plant has its result. */
  | { readonly kind: "settled"; readonly result: CreatePlantResult }
  /** The service refused the caller, not the plant; `result` is the plant's if nobody tries again. */
  | { readonly kind: "refused"; readonly result: CreatePlantResult; readonly retryAfterMs: number | undefined }
  /** No request may start at present; `result` is the plant's if nobody tries again, undefined if nothing was sent. */
  | { readonly kind: "held"; readonly result: CreatePlantResult | undefined };

/** What the calls of one run share. */
export interface CallContext {
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
  /** The attempts of the earlier tries. */
  attempts: readonly Attempt[] = NONE;
  /** The worst outcome of the earlier tries. */
  outcome: Outcome = "not-sent";
  readonly #context: CallContext;
  readonly #plant: NewPlant;
  /** Whether the last request may start; undefined if the creator does not ask. */
  #mayStart: boolean | undefined;

  constructor(context: CallContext, plant: NewPlant) {
    this.#context = context;
    this.#plant = plant;
  }

  mayStart(): boolean {
    this.#mayStart = this.#context.mayStart();
    return this.#mayStart;
  }

  /** Tries once more; `judge` tells what the result means. */
  try(): Promise<CreatePlantResult> {
    this.#mayStart = undefined;
    const { creator, signal } = this.#context;
    const options = { signal, [PACING]: this };
    return creator.tryCreatePlant(this.#plant, options);
  }

  judge(given: CreatePlantResult): Try {
    const result = this.#continue(given);
    if (result.ok) return { kind: "settled", result };
    const isSent = result.attempts.length > this.attempts.length;
    this.attempts = result.attempts;
    this.outcome = result.error.outcome;
    if (this.#mayStart === false) return { kind: "held", result: isSent ? result : undefined };
    return this.#isRefusal(result.error)
      ? { kind: "refused", result, retryAfterMs: result.error.retryAfterMs }
      : { kind: "settled", result };
  }

  #isRefusal(error: PlantStoreError & Partial<ReplyFields>): error is PlantStoreApiError {
    const { kind, status, retryAfterMs, outcome } = error;
    // If it may have stored the plant, the client's `retry` option decides. Other creators do not tell theirs.
    if (outcome !== "rejected" && this.#mayStart === undefined) return false;
    return isRefused(status, retryAfterMs, kind === "api");
  }

  /** Adds the earlier tries to the result of a creator that dropped the options. */
  #continue(result: CreatePlantResult): CreatePlantResult {
    const { attempts: earlier } = this;
    if (earlier.length === 0 || result.attempts[0] === earlier[0]) return result;
    const later = result.attempts.map((attempt, i) => Object.freeze({ ...attempt, number: earlier.length + i + 1 }));
    const attempts = [...earlier, ...later];
    if (!result.ok) Reflect.defineProperty(result.error, "attempts", { value: attempts });
    return { ...result, attempts };
  }
}

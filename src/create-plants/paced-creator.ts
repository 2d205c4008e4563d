import type { NewPlant } from "../contract/plant.ts";
import type { Attempt } from "../errors.ts";
import type { CreatePlantResult, PlantCreator } from "../plant-creator.ts";

/** The key of {@link PacedCreator}'s entry; registered, so that the ESM and the CommonJS copy of the package share it. */
export const PACED: unique symbol = Symbol.for("plant-store-client.paced");

/** How one try of a plant ended. */
export type Try =
  /** The plant has its result. */
  | { readonly kind: "settled"; readonly result: CreatePlantResult }
  /** The service refused the caller, not the plant; `result` is the plant's if nobody tries again. */
  | { readonly kind: "refused"; readonly result: CreatePlantResult; readonly retryAfterMs: number | undefined }
  /** No request may start at present; `result` is the plant's if nobody tries again, undefined if nothing was sent. */
  | { readonly kind: "held"; readonly result: CreatePlantResult | undefined };

/** The call of one plant, over all its tries. */
export interface PacedCall {
  /** Tries once more; `attempts` of the result continue those of the earlier tries. Each try has a deadline of its own. */
  try(): Promise<Try>;
}

export interface PacedOptions {
  readonly signal: AbortSignal;
  /** Asked before each request; false holds it back. */
  readonly mayStart: () => boolean;
}

/** Begins the call of one plant. */
export type BeginCall = (plant: NewPlant) => PacedCall;

/** The entry that {@link createPlants} uses: it leaves refusals to its caller, and asks before each request. */
export interface PacedCreator {
  /** Called once for all plants. Returns undefined if `tryCreatePlant` must be called instead. */
  [PACED]?(options: PacedOptions): BeginCall | undefined;
}

/** Returns the entry of a creator, or one that calls its `tryCreatePlant`. */
export function pacedCalls(
  creator: Pick<PlantCreator, "tryCreatePlant"> & PacedCreator,
  options: PacedOptions,
): BeginCall {
  return creator[PACED]?.(options) ?? ((plant) => new PlainCall(creator, plant, options));
}

/** A call of a creator without that entry, such as a fake in a test. Refusals are recognised by its results. */
class PlainCall implements PacedCall {
  readonly #creator: Pick<PlantCreator, "tryCreatePlant">;
  readonly #plant: NewPlant;
  readonly #signal: AbortSignal;
  /** Attempts of the earlier tries. */
  #attempts: readonly Attempt[] = [];

  constructor(creator: Pick<PlantCreator, "tryCreatePlant">, plant: NewPlant, { signal }: PacedOptions) {
    this.#creator = creator;
    this.#plant = plant;
    this.#signal = signal;
  }

  async try(): Promise<Try> {
    const result = this.#continue(await this.#creator.tryCreatePlant(this.#plant, { signal: this.#signal }));
    if (result.ok || !isRefusal(result.error)) return { kind: "settled", result };
    this.#attempts = result.attempts;
    return { kind: "refused", result, retryAfterMs: result.error.retryAfterMs };
  }

  #continue(result: CreatePlantResult): CreatePlantResult {
    const earlier = this.#attempts;
    if (earlier.length === 0) return result;
    const later = result.attempts.map((attempt, i) => Object.freeze({ ...attempt, number: earlier.length + i + 1 }));
    const attempts = [...earlier, ...later];
    if (!result.ok) Reflect.defineProperty(result.error, "attempts", { value: attempts });
    return { ...result, attempts };
  }
}

/** A refusal of the caller: 429, or a 503 that the client took as proof. */
function isRefusal(error: object): error is { readonly retryAfterMs?: number } {
  const { status, outcome } = error as { status?: unknown; outcome?: unknown };
  return outcome === "rejected" && (status === 429 || status === 503);
}

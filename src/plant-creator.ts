import type { CreatePlantOptions } from "./client-options.ts";
import type { NewPlant, Plant } from "./contract/plant.ts";
import type { AnyPlantStoreError, Attempt, Outcome } from "./errors.ts";

/**
 * The result of {@link PlantStoreClient.tryCreatePlant}: a plant or an error.
 *
 * Both variants declare every field, so that `result.ok` narrows a destructured result too, and one in a
 * project without `strictNullChecks`.
 */
export type CreatePlantResult =
  | {
      /** The plant was created. */
      readonly ok: true;
      /** The plant as the service returned it, including fields that the contract does not declare. */
      readonly plant: Plant;
      /** Always absent: the call succeeded. */
      readonly error?: undefined;
      /** Always absent: the plant was created. */
      readonly outcome?: undefined;
      /** The HTTP status; the contract declares 200. */
      readonly status: number;
      /** The headers of the response, with tokens redacted. */
      readonly headers: Headers;
      /** Every request of the call, including the successful one. */
      readonly attempts: readonly Attempt[];
    }
  | {
      /** The call failed. */
      readonly ok: false;
      /** The error, whose `outcome` says whether the plant may exist. */
      readonly error: AnyPlantStoreError;
      /** Whether the plant may exist now: `error.outcome`. */
      readonly outcome: Outcome;
      /** Always absent: the call failed. */
      readonly plant?: undefined;
      /** Every request of the call; empty if none was sent. */
      readonly attempts: readonly Attempt[];
    };

export type FailedResult = Extract<CreatePlantResult, { readonly ok: false }>;

/** The result of a call that failed. */
export function failedBy(error: AnyPlantStoreError): FailedResult {
  return { ok: false, error, outcome: error.outcome, attempts: error.attempts };
}

/** Where a result keeps the function that reads its headers. */
const READ_HEADERS = /* @__PURE__ */ Symbol("headers");

const LATER: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get(this: { readonly [READ_HEADERS]: () => Headers }) {
    return this[READ_HEADERS]();
  },
};

/** Adds headers that are read only when they are asked for: to copy and redact them takes a tenth of a call, and few do. */
export function withHeaders<Result extends object>(
  result: Result,
  read: () => Headers,
): Result & { readonly headers: Headers } {
  Object.defineProperty(result, READ_HEADERS, { value: read });
  return Object.defineProperty(result, "headers", LATER) as Result & { readonly headers: Headers };
}

/** Creates plants: a {@link PlantStoreClient}, or a fake in a test. */
export interface PlantCreator {
  /**
   * See {@link PlantStoreClient.createPlant}.
   *
   * @throws A {@link PlantStoreError} if the call failed.
   */
  createPlant(plant: NewPlant, options?: CreatePlantOptions): Promise<Plant>;
  /** See {@link PlantStoreClient.tryCreatePlant}. */
  tryCreatePlant(plant: NewPlant, options?: CreatePlantOptions): Promise<CreatePlantResult>;
}

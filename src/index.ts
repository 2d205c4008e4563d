/**
 * The client: it creates plants, and every error says whether the plant may exist.
 *
 * @module plant-store-client
 */

export type { Clock } from "./call/clock.ts";
export type { FetchInit, FetchLike, RetryPolicy } from "./call/settings.ts";
export type { TokenProvider } from "./call/tokens.ts";
export type { Issue, StandardSchemaV1, Validation } from "./checks/schema.ts";
export { PlantStoreClient } from "./client.ts";
export type { BackoffOptions, CreatePlantOptions, PlantStoreClientOptions } from "./client-options.ts";
export { type ErrorBody, errorSchema } from "./contract/error-body.ts";
export {
  type NewPlant,
  type NewPlantText,
  newPlantSchema,
  newPlantTextSchema,
  type Plant,
  plantSchema,
  type ValidNewPlant,
} from "./contract/plant.ts";
export { createPlants } from "./create-plants/create-plants.ts";
export type { JournalState, PlantJournal } from "./create-plants/journal.ts";
export type { CreatePlantsOptions, CreatePlantsPace } from "./create-plants/options.ts";
export type { CreatePlantsResult } from "./create-plants/results.ts";
export {
  type AnyPlantStoreError,
  type Attempt,
  isPlantStoreError,
  type Outcome,
  PlantStoreAbortError,
  PlantStoreApiError,
  PlantStoreConfigError,
  PlantStoreConnectionError,
  PlantStoreError,
  type PlantStoreErrorInit,
  type PlantStoreFailure,
  PlantStoreInputError,
  PlantStoreInterruptedError,
  PlantStoreResponseError,
  PlantStoreTimeoutError,
  PlantStoreTokenError,
  type ResponseProblem,
} from "./errors.ts";
export type { CreatePlantResult, PlantCreator } from "./plant-creator.ts";

import { configError } from "../check-options.ts";
import { kindOf } from "../checks/describe.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { PlantStoreConfigError } from "../errors.ts";
import type { PlantCreator } from "../plant-creator.ts";
import { type Clock, systemClock } from "../transport/clock.ts";
import type { Plants } from "./input.ts";
import { type CreatePlantsOptions, readCreatePlantsOptions } from "./options.ts";
import type { CreatePlantsResult } from "./results.ts";
import { Run } from "./run.ts";

/**
 * Creates many plants at the pace that the service allows, and yields each result as it settles, not in the order of the
 * input.
 *
 * A plant does not fail because of a 429, or a 503 with Retry-After and the contract's Error: the run pauses until
 * Retry-After has passed, sends the plant again, and finds a rate and a number of concurrent requests that the service
 * accepts. A plant's `timeoutMs` does not include the wait for its turn, and `maxRetries` does not count refusals.
 *
 * The run takes the next plant from the input only while fewer than `concurrency` plants are in flight or have a result
 * that was not yet consumed, so memory does not grow with the input. If the signal is aborted, the run aborts the plants
 * in flight, yields their results, then throws the signal's reason. If the input throws, or `maxWaitMs` has passed, the
 * plants in flight finish first. If you leave the loop early, the run aborts the plants in flight and waits for them.
 *
 * @param creator - A client, or any object with its `tryCreatePlant`. A wrapper that does not pass the options on to its
 * client retries refusals by itself.
 * @param plants - The input, which may be endless.
 * @param options - The concurrency, a signal, the longest wait, and an observer of the pace.
 * @returns Each result, with `input` and `index`.
 * @throws {@link PlantStoreConfigError} at once, if an argument or an option is invalid.
 * @throws The signal's reason, unchanged; or the error that the input throws.
 * @throws {@link PlantStoreApiError} or {@link PlantStoreResponseError}, the last refusal, if the service refused every
 * request for `maxWaitMs`, or asked for a longer wait.
 *
 * @example
 * {@includeCode ../../docs/code/many-plants.ts#loop}
 */
export function createPlants(
  creator: Pick<PlantCreator, "tryCreatePlant">,
  plants: readonly NewPlant[] | Iterable<NewPlant> | AsyncIterable<NewPlant>,
  options?: CreatePlantsOptions,
): AsyncIterableIterator<CreatePlantsResult>;
/** @internal */
export function createPlants(
  creator: Pick<PlantCreator, "tryCreatePlant">,
  plants: Plants,
  options?: CreatePlantsOptions,
  clock?: Clock,
): AsyncIterableIterator<CreatePlantsResult>;
export function createPlants(
  creator: Pick<PlantCreator, "tryCreatePlant">,
  plants: Plants,
  options: CreatePlantsOptions = {},
  clock: Clock = systemClock,
): AsyncIterableIterator<CreatePlantsResult> {
  checkArguments(creator, plants);
  return new Run(creator, plants, readCreatePlantsOptions(options), clock).results;
}

function checkArguments(creator: unknown, plants: unknown): void {
  if (typeof (creator as Partial<PlantCreator> | null | undefined)?.tryCreatePlant !== "function") {
    throw argumentError("creator", "a PlantStoreClient, or an object with its tryCreatePlant", creator);
  }
  // A string is iterable too, but yields no plants.
  if (Object(plants) !== plants || !isIterable(plants as object)) {
    throw argumentError("plants", "an iterable or async iterable of plants, such as an array", plants);
  }
}

function isIterable(value: Partial<Iterable<unknown> & AsyncIterable<unknown>>): boolean {
  return typeof (value[Symbol.asyncIterator] ?? value[Symbol.iterator]) === "function";
}

function argumentError(option: string, expected: string, received: unknown): PlantStoreConfigError {
  const kind = (received as Partial<Promise<unknown>> | null)?.then ? "a promise: await it first" : kindOf(received);
  return configError(option, `must be ${expected}; received ${kind}`);
}

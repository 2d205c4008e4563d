import { kindOfArgument } from "../checks/describe.ts";
import { configError } from "../config-error.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { PlantStoreConfigError } from "../errors.ts";
import type { PlantCreator } from "../plant-creator.ts";
import { type CreatePlantsOptions, readCreatePlantsOptions } from "./options.ts";
import type { CreatePlantsResult } from "./results.ts";
import { Run } from "./run.ts";

/**
 * Creates many plants at the pace that the service allows, and yields each result as it settles.
 *
 * A refusal (429, or 503 with Retry-After and the contract's Error) never fails a plant: the run pauses and sends it again.
 *
 * @param creator - A client, or any object with its `tryCreatePlant`. It must settle once its signal is aborted: the run
 * waits for it.
 * @param plants - The input, which may be endless. A plain object is copied when it is pulled; any other must not change
 * until its result.
 * @param options - The concurrency, a signal, limits, and an observer of the pace.
 * @returns Each result, with `input` and `index`. To end a run without losing a result, abort the signal: the loop then gets
 * the results of the plants in flight. `break` aborts them, and their results are lost.
 * @throws A {@link PlantStoreConfigError} at once, if an argument or an option is invalid.
 * @throws The signal's reason, or the error that the input or the journal throws, unchanged; after the results of all
 * plants in flight.
 * @throws A {@link PlantStoreError}, that of a plant's result, if the service refused or failed for `maxWaitMs` or asked for a
 * longer wait, if the URL or the token seems to be wrong, or if an option or token of a call was invalid.
 *
 * @example
 * {@includeCode ../../docs/code/many-plants.ts#loop}
 */
export function createPlants<Input extends NewPlant>(
  creator: Pick<PlantCreator, "tryCreatePlant">,
  plants: readonly Input[] | Iterable<Input> | AsyncIterable<Input>,
  options: CreatePlantsOptions<NoInfer<Input>> = {},
): AsyncIterableIterator<CreatePlantsResult<Input>> {
  checkArguments(creator, plants);
  return new Run(creator, plants, readCreatePlantsOptions(options)).results;
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
  return configError(option, `must be ${expected}; received ${kindOfArgument(received)}`);
}

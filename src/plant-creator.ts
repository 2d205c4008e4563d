import type { NewPlant, Plant } from "./contract/plant.ts";
import type { AnyPlantStoreError, Attempt } from "./errors.ts";
import type { CreatePlantOptions } from "./options.ts";

/** What {@link PlantStoreClient.tryCreatePlant} resolves to: a plant, or an error that says what happened. */
export type CreatePlantResult =
  | {
      /** The plant was created. */
      readonly ok: true;
      /** The plant as the service answered it, fields that the contract does not name included. */
      readonly plant: Plant;
      /** The HTTP status; the contract declares 200. */
      readonly status: number;
      /** The headers of the reply; a token that stands in one is redacted. */
      readonly headers: Headers;
      /** Every POST of the call, the last one included. */
      readonly attempts: readonly Attempt[];
    }
  | {
      /** No plant was answered. */
      readonly ok: false;
      /** What happened, and in its `outcome` whether the plant may exist. */
      readonly error: AnyPlantStoreError;
      /** Every POST of the call, the last one included; empty where none was sent. */
      readonly attempts: readonly Attempt[];
    };

/** What creates plants: a {@link PlantStoreClient}, or whatever a test puts in its place. */
export interface PlantCreator {
  /**
   * Creates a plant; see {@link PlantStoreClient.createPlant}.
   *
   * @param plant - The plant.
   * @param options - What is different for this call.
   * @returns The plant as the service answered it.
   * @throws {@link PlantStoreError} where no plant was answered; the signal's reason where it was aborted.
   */
  createPlant(plant: NewPlant, options?: CreatePlantOptions): Promise<Plant>;
  /**
   * Creates a plant, and resolves with the error instead of rejecting; see {@link PlantStoreClient.tryCreatePlant}.
   *
   * @param plant - The plant.
   * @param options - What is different for this call.
   * @returns The plant, or the error; both with every attempt.
   */
  tryCreatePlant(plant: NewPlant, options?: CreatePlantOptions): Promise<CreatePlantResult>;
}

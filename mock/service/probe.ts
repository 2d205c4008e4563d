import type { NewPlant } from "../../src/contract/plant.ts";
import type { MockPlantStoreOptions } from "./mock-options.ts";

/** The name of every plant that calibrate creates; one with an empty name has it as its tag. */
export const PLANT_NAME = "plant-store-mock calibrate";

/** How `plant-store-mock calibrate` finds out what a real service does: a valid request to create a plant, with one change. */
export interface Probe {
  /** What is sent, for the report, e.g. `a request without a token`. */
  readonly sends: string;
  /** Default: the method of the operation. A request with another method has no body. */
  readonly method?: "GET";
  /** Default: the path of the operation. */
  readonly path?: string;
  /** Default: the valid token. Without a value, the header is absent. */
  readonly authorization?: (token: string) => string | undefined;
  /** Default: `application/json`. */
  readonly mediaType?: string;
  /** Default: an unused id, and {@link PLANT_NAME}. */
  readonly fields?: Partial<NewPlant>;
  /** Default: the plant as JSON. */
  readonly body?: (plant: NewPlant) => string | Uint8Array<ArrayBuffer>;
  /** Whether the plant is one that exists. */
  readonly isDuplicate?: true;
  /** What earlier requests of this kind have shown; an answer that contradicts them is no finding. */
  readonly expected?: "accepted" | "rejected";
  /** The options of a mock that accepts the request, or rejects it; absent if there are none. */
  readonly accepted?: MockPlantStoreOptions;
  readonly rejected?: MockPlantStoreOptions;
}

/**
 * The probe of a body of some bytes.
 *
 * @param acceptedBytes - What a mock accepts that rejects it.
 */
export function bodyOf(bytes: number, acceptedBytes: number = bytes - 1): Probe {
  return {
    sends: `a body of ${bytes.toLocaleString("en")} bytes`,
    body: (plant) => JSON.stringify(plant).padEnd(bytes),
    accepted: { maxBodyBytes: bytes },
    rejected: { maxBodyBytes: acceptedBytes },
  };
}

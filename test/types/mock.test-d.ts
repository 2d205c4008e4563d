import type { PlantJournal } from "plant-store-client";
import { createMockPlantStore, type SimulatedJournal } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import config from "./mock.json" with { type: "json" };

/** A file of `plant-store-mock calibrate`, as TypeScript reads it: its texts are of the type `string`. */
export const mocks = [createMockPlantStore(config), startMockPlantStore({ ...config, port: 0 })];

// @ts-expect-error: a number is no mode.
createMockPlantStore({ duplicateIds: 1 });

/** The journal of a simulation is one for createPlants. */
export const journalOf = (journal: SimulatedJournal): PlantJournal => journal;

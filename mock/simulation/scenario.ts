import type { NewPlant } from "../../src/contract/plant.ts";
import type { MockClientOptions, VirtualMockPlantStore } from "../service/mock-plant-store.ts";
import type { VirtualClock } from "../time/virtual-clock.ts";

/** The ids that the code under test reports, each of them once. */
export interface SimulatedReport {
  /** The plants that exist. */
  readonly created?: Iterable<number | bigint> | undefined;
  /** The plants that do not exist. */
  readonly failed?: Iterable<number | bigint> | undefined;
  /** The plants of which it is not known. */
  readonly unknown?: Iterable<number | bigint> | undefined;
}

/**
 * A journal in memory, which outlives a kill: a `PlantJournal` for createPlants, which knows plants by their ids. A write
 * takes virtual time, and one that is under way when the scenario is killed may be lost.
 */
export interface SimulatedJournal {
  /**
   * Before a plant is sent: the plant is unclear from then on.
   *
   * @param plant - The plant.
   * @param index - Not used.
   * @returns `created`, `changed` or `unknown` if its id was claimed before; `undefined` if it may be sent.
   */
  claim(plant: NewPlant, index?: number): Promise<"created" | "unknown" | "changed" | undefined>;
  /**
   * After a plant was sent. A plant that was recorded as created counts as reported created.
   *
   * @param plant - That of `claim`.
   * @param outcome - `unknown` leaves the plant unclear; after `not-sent` and `rejected` it may be sent again.
   * @param index - Not used.
   */
  record(plant: NewPlant, outcome: "created" | "not-sent" | "rejected" | "unknown", index?: number): Promise<void>;
}

/** What a scenario gets. */
export interface SimulatedWorld {
  /** The plants to create: copies, some of them twice with `redeliveries`. */
  readonly plants: readonly NewPlant[];
  /** Options of a client of the mock: `new PlantStoreClient(clientOptions)`. */
  readonly clientOptions: MockClientOptions;
  /** The mock, new for each run. */
  readonly store: VirtualMockPlantStore;
  /** Its clock, which is also that of the globals. */
  readonly clock: VirtualClock;
  /** What outlives a kill. */
  readonly journal: SimulatedJournal;
  /** How often the scenario was killed in this run. */
  readonly restarts: number;
}

/** Code that creates plants, and reports the outcome of each. */
export type Scenario = (world: SimulatedWorld) => SimulatedReport | Promise<SimulatedReport>;

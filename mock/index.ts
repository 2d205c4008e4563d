/**
 * The whole service in memory, with its own `fetch`. It runs on every runtime and intercepts nothing.
 *
 * @module plant-store-client/mock
 */
export type { ErrorBody } from "../src/contract/error-body.ts";
export type { NewPlant, Plant, ValidNewPlant } from "../src/contract/plant.ts";
export { createMockPlantStore } from "./memory/create-mock.ts";
export { type Fault, faults } from "./service/faults/fault-table.ts";
export type { CauseReplies, ErrorValue, MockPlantStoreOptions } from "./service/mock-options.ts";
export type {
  Fetch,
  Gate,
  InjectOptions,
  MockClientOptions,
  MockPlantStore,
  MockPlants,
  MockRequests,
  MockSession,
  PlantMatch,
  RecordedRequest,
  VirtualMockPlantStore,
} from "./service/mock-plant-store.ts";
export type { RateLimit } from "./service/rate-limit.ts";
export type { AssumptionName, Cause, Provenance } from "./service/service-reply.ts";
export type { Reply } from "./service/wire-reply.ts";
export type { SimulationReplay } from "./simulation/draw-run.ts";
export type { PlannedFault } from "./simulation/fault-plan.ts";
export type { Scenario, SimulatedJournal, SimulatedReport, SimulatedWorld } from "./simulation/scenario.ts";
export { type SimulateOptions, type SimulationSummary, simulate } from "./simulation/simulate.ts";
export { SimulationError } from "./simulation/simulation-error.ts";
export type { VirtualClock } from "./time/virtual-clock.ts";

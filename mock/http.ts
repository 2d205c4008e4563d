/**
 * The mock on a real port, for whatever speaks HTTP, and its remote control from another process.
 *
 * @packageDocumentation
 */
export type { HttpLimits } from "./http/listener.ts";
export { type HttpMockPlantStore, type StartMockPlantStoreOptions, startMockPlantStore } from "./http/start.ts";

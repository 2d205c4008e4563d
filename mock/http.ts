/**
 * The mock as an HTTP server, for clients in any language, and its remote control from another process.
 *
 * @module plant-store-client/mock/http
 */
export type { StartMockPlantStoreOptions } from "./http/http-options.ts";
export { type ConnectMockPlantStoreOptions, connectMockPlantStore } from "./http/remote/connect.ts";
export type {
  RemoteGate,
  RemoteInjectOptions,
  RemoteMockPlantStore,
  RemoteMockPlants,
  RemoteMockRequests,
  RemoteMockSession,
} from "./http/remote/remote-mock-plant-store.ts";
export { type HttpMockPlantStore, startMockPlantStore } from "./http/start.ts";

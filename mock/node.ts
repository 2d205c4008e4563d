/**
 * Intercepts requests in Node through MSW; the code under test calls the global `fetch` as usual.
 *
 * @module plant-store-client/mock/node
 */
export type { SetupMockPlantStoreOptions } from "./msw/claim-interception.ts";
export { type InterceptingMockPlantStore, setupMockPlantStore } from "./msw/setup-node.ts";

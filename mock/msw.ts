/**
 * MSW handlers for the mock, to use alongside your own.
 *
 * @module plant-store-client/mock/msw
 */
export { createHandlers } from "./msw/handlers.ts";
export type { MockPlantStore } from "./service/mock-plant-store.ts";

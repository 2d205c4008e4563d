/**
 * Intercepts the requests of a page through MSW's service worker; the page calls the global `fetch` as usual. Create
 * MSW's worker script with `npx msw init <public directory>`.
 *
 * @module plant-store-client/mock/browser
 */
export {
  type SetupMockPlantStoreWorkerOptions,
  setupMockPlantStoreWorker,
  type WorkerMockPlantStore,
} from "./msw/setup-worker.ts";

/**
 * The mock behind MSW's service worker: a page calls the global `fetch` as usual. The worker script is MSW's own; create
 * it with `npx msw init <public directory>`.
 *
 * @module plant-store-client/mock/browser
 */
export {
  type SetupMockPlantStoreWorkerOptions,
  setupMockPlantStoreWorker,
  type WorkerMockPlantStore,
} from "./msw/setup-worker.ts";

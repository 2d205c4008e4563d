/**
 * The mock behind MSW's service worker: a page calls the global `fetch` as ever. The worker script is MSW's own:
 * `npx msw init <public directory>` puts it there.
 *
 * @module plant-store-client/mock/browser
 */
export {
  type SetupMockPlantStoreWorkerOptions,
  setupMockPlantStoreWorker,
  type WorkerMockPlantStore,
} from "./msw/setup-worker.ts";

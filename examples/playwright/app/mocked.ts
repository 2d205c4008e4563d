// The same application, with the service in its own service worker: for tests and demonstrations without a server.

import { setupMockPlantStoreWorker, type WorkerMockPlantStore } from "plant-store-client/mock/browser";

declare global {
  interface Window {
    store: WorkerMockPlantStore;
  }
}

window.store = setupMockPlantStoreWorker();
await window.store.start();
window.plantStore = window.store.clientOptions;
await import("./main.ts");

import { type Attempt, PlantStoreClient } from "plant-store-client";
import { setupMockPlantStoreWorker } from "plant-store-client/mock/browser";
import { login } from "./login.ts";

/** The service, in this page's service worker. */
export const store = setupMockPlantStoreWorker({
  // A page loaded over https may not call http, not even through its service worker.
  baseUrl: "https://plant-store.test",
  // The contract does not say whether ids are unique. In this store they are.
  duplicateIds: "reject",
  // In the folder of the page, on any site.
  workerUrl: new URL("mockServiceWorker.js", document.baseURI).pathname,
});

/**
 * The client of this page.
 *
 * @param onAttempt - Called after each POST.
 */
export function createClient(onAttempt: (attempt: Attempt) => void): PlantStoreClient {
  return new PlantStoreClient({
    baseUrl: store.baseUrl,
    token: () => {
      if (!login.isValid) throw new Error("the session has expired");
      return store.token;
    },
    timeoutMs: 5_000,
    onAttempt,
  });
}

import { PlantStoreClient } from "plant-store-client";
import type { MockSession } from "plant-store-client/mock";
import { setupMockPlantStore } from "plant-store-client/mock/node";
import { test as base } from "vitest";

// MSW intercepts the global fetch: the code under test does not know that it is tested.
export const store = setupMockPlantStore({ auth: { tokens: [] }, onUnhandledRequest: "error" });

/** A test with a session of its own, which is verified at the end unless the test has failed. */
export const test = base.extend<{ session: MockSession; client: PlantStoreClient }>({
  session: async ({ task }, use) => {
    using session = store.session();
    await use(session);
    if (task.result?.state !== "fail") session.verify();
  },
  client: ({ session }, use) => use(new PlantStoreClient(session.clientOptions)),
});

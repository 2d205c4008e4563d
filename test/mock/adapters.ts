import { createMockPlantStore, type MockPlantStoreOptions } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { setupMockPlantStore } from "plant-store-client/mock/node";

/** Starts the mock on each adapter that runs in this process, with the `fetch` that reaches it. */
export const adapters = {
  "in memory": async (options?: MockPlantStoreOptions) => {
    const mock = createMockPlantStore(options);
    return { mock, send: mock.fetch, post: posts(mock, mock.fetch), close: () => mock[Symbol.dispose]() };
  },
  "MSW in Node": async (options?: MockPlantStoreOptions) => {
    const mock = setupMockPlantStore(options);
    mock.listen();
    return { mock, send: fetch, post: posts(mock, fetch), close: () => mock.close() };
  },
  HTTP: async (options?: MockPlantStoreOptions) => {
    const mock = await startMockPlantStore(options);
    return { mock, send: fetch, post: posts(mock, fetch), close: () => mock.close() };
  },
};

/** Posts a body with the token of the root session. */
function posts(
  { baseUrl, token }: { baseUrl: string; token: string },
  send: (url: string, init: RequestInit) => Promise<Response>,
) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return (body: BodyInit, init: RequestInit = {}) => {
    return send(`${baseUrl}/plants`, { method: "POST", headers, body, ...init });
  };
}

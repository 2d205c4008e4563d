/**
 * MSW handlers of the mock, to put beside handlers of your own.
 *
 * @module plant-store-client/mock/msw
 */
import type { HttpHandler } from "msw";
import { handlersOf } from "./msw/handlers.ts";
import { serviceOf } from "./service/adapter.ts";
import type { MockPlantStore } from "./service/mock-plant-store.ts";

export type { MockPlantStore } from "./service/mock-plant-store.ts";

/**
 * Gives the handlers that bring intercepted requests to a mock: every request under its base URL, unknown paths too.
 * From here on the mock refuses faults that MSW cannot do.
 *
 * @param mock - What `createMockPlantStore()` gives.
 * @returns the handlers, for `setupServer(...)`, `setupWorker(...)` or `use(...)`.
 * @throws TypeError when the value is no mock, or a fault is queued that MSW cannot do.
 *
 * @example
 * {@includeCode ../docs/code/testing/msw.ts}
 */
export function createHandlers(mock: MockPlantStore): HttpHandler[] {
  const service = serviceOf(mock);
  service.attach("msw");
  return handlersOf(service);
}

import type { HttpHandler } from "msw";
import { serviceOf } from "../service/adapter.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { handlersOf } from "./handlers.ts";

/**
 * Creates MSW handlers for every request under the base URL of a mock, including unknown paths. From then on the mock
 * rejects faults that MSW cannot reproduce.
 *
 * @param mock - From `createMockPlantStore()`.
 * @returns the handlers, for `setupServer(...)`, `setupWorker(...)` or `use(...)`.
 * @throws TypeError if the value is not a mock, or MSW cannot reproduce a queued fault.
 *
 * @example
 * {@includeCode ../../docs/code/testing/msw.ts}
 */
export function createHandlers(mock: MockPlantStore): HttpHandler[] {
  const service = serviceOf(mock);
  service.attach("msw");
  return handlersOf(service);
}

import type { HttpHandler } from "msw";
import { serviceOf } from "../service/adapter.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { handlersOf } from "./handlers.ts";

/**
 * Makes the handlers that bring intercepted requests to a mock: every request under its base URL, unknown paths too.
 * From here on the mock refuses faults that MSW cannot reproduce.
 *
 * @param mock - From `createMockPlantStore()`.
 * @returns the handlers, for `setupServer(...)`, `setupWorker(...)` or `use(...)`.
 * @throws TypeError if the value is not a mock, or a fault is queued that MSW cannot reproduce.
 *
 * @example
 * {@includeCode ../../docs/code/testing/msw.ts}
 */
export function createHandlers(mock: MockPlantStore): HttpHandler[] {
  const service = serviceOf(mock);
  service.attach("msw");
  return handlersOf(service);
}

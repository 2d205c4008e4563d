/**
 * MSW handlers of the mock, to put beside handlers of your own.
 *
 * @module plant-store-client/mock/msw
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import { type PlantStoreService, serviceOf } from "./door.ts";
import type { MockPlantStore } from "./mock-plant-store.ts";
import { createResponse } from "./response.ts";

export type { MockPlantStore } from "./mock-plant-store.ts";

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

/**
 * The handlers alone: whoever asks attaches the door.
 *
 * @param isOn - Whether requests are to come to the mock; otherwise they are left to MSW.
 * @internal
 */
export function handlersOf(service: PlantStoreService, isOn = () => true): HttpHandler[] {
  return [
    http.all(
      ({ request }) => isOn() && service.pathOf(request.url) !== undefined,
      ({ request }) => respond(service, request),
    ),
  ];
}

/** Never throws: MSW makes a 500 with a stack of what a resolver throws. */
async function respond(service: PlantStoreService, request: Request): Promise<Response> {
  const { method, url, headers } = request;
  const turn = service.begin(headers.get("authorization"));
  let body: Uint8Array;
  try {
    body = new Uint8Array(await request.arrayBuffer());
  } catch {
    return HttpResponse.error(); // The caller has left while the body was read.
  }
  const delivery = await service.receive({ method, path: service.pathOf(url) as string, headers, body }, turn);
  return "status" in delivery ? createResponse(delivery, request) : HttpResponse.error();
}

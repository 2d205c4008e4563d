import { type HttpHandler, HttpResponse, http } from "msw";
import { createResponse } from "../memory/response.ts";
import type { PlantStoreService } from "../service/adapter.ts";

/**
 * The handlers alone; the caller attaches the adapter.
 *
 * @param isOn - Whether requests are to come to the mock; otherwise they are left to MSW.
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
  const session = service.begin(headers.get("authorization"));
  let body: Uint8Array;
  try {
    body = new Uint8Array(await request.arrayBuffer());
  } catch {
    return HttpResponse.error(); // The caller left while the body was read.
  }
  const delivery = await service.receive({ method, path: service.pathOf(url) as string, headers, body }, session);
  return "status" in delivery ? createResponse(delivery, request) : HttpResponse.error();
}

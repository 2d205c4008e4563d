import { type HttpHandler, HttpResponse, http } from "msw";
import { readBody } from "../memory/read-body.ts";
import { createResponse } from "../memory/response.ts";
import { type PlantStoreService, serviceOf } from "../service/adapter.ts";
import { hasResponse } from "../service/delivery.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";

/**
 * Creates MSW handlers for every request under the base URL of a mock, including unknown paths. From then on the mock
 * rejects faults that MSW cannot reproduce.
 *
 * @param mock - From `createMockPlantStore()`.
 * @returns The handlers, for `setupServer(...)`, `setupWorker(...)` or `use(...)`.
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

/**
 * Creates the handlers; the caller attaches the adapter.
 *
 * @param accepts - Whether the mock handles a path under the base URL; if not, the request is left to MSW.
 */
export function handlersOf(service: PlantStoreService, accepts = (_path: string) => true): HttpHandler[] {
  const isForMock = ({ request }: { request: Request }) => {
    const path = service.pathOf(request.url);
    return path !== undefined && accepts(path);
  };
  return [http.all(isForMock, ({ request }) => respond(service, request))];
}

/** Never throws: MSW turns an error that a resolver throws into a 500 with a stack trace. */
async function respond(service: PlantStoreService, request: Request): Promise<Response> {
  const { method, url, headers, signal } = request;
  const session = service.begin(headers.get("authorization"));
  const path = service.pathOf(url) as string;
  if (request.bodyUsed || request.body?.locked) {
    service.report(
      session,
      `${method} ${path}: another MSW handler has read the body`,
      "let that handler read request.clone()",
    );
    return HttpResponse.error();
  }
  let body: Uint8Array;
  try {
    body = await readBody(request, { service, session, signal });
  } catch {
    return HttpResponse.error(); // The caller aborted while the body was being read.
  }
  let disconnect: (() => void) | undefined;
  const onDisconnect = (callback: () => void) => {
    disconnect = callback;
    signal.addEventListener("abort", callback);
    if (signal.aborted) callback();
  };
  const delivery = await service.receive({ method, path, headers, body, onDisconnect }, session);
  if (!hasResponse(delivery)) return HttpResponse.error();
  if (delivery.how === "reply" || !isBuffered()) return createResponse(delivery, request, disconnect);
  if (delivery.how === "stalledBody") await delivery.ended;
  return HttpResponse.error();
}

/**
 * Whether MSW reads a whole body before it passes it to its service worker, because a stream cannot be transferred: in
 * WebKit. If that body failed, MSW would pass on nothing, and the request would never end.
 */
function isBuffered(): boolean {
  if (!("ServiceWorkerContainer" in globalThis)) return false;
  const { port1 } = new MessageChannel();
  const stream = new ReadableStream();
  try {
    port1.postMessage(stream, [stream]);
    return false;
  } catch {
    return true;
  } finally {
    port1.close();
  }
}

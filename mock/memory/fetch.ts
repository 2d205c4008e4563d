import type { PlantStoreService } from "../service/adapter.ts";
import type { Delivery } from "../service/delivery.ts";
import type { Fetch } from "../service/mock-plant-store.ts";
import { connectionRefused, connectionReset, otherSideClosed } from "./network-errors.ts";
import { createResponse } from "./response.ts";

/** The service in memory, as a `fetch`: the answers and errors of a real one, without a socket. */
export function createFetch(service: PlantStoreService, outside: Fetch | undefined): Fetch {
  const { origin } = new URL(service.baseUrl);
  const known = service.operations.map(({ method, path }) => ({ method, path, url: `${origin}${path}` }));

  return async (input, init) => {
    const signal = init?.signal ?? (isRequest(input) ? input.signal : undefined);
    signal?.throwIfAborted();
    // What the client sends needs no Request, which would cost more than all the rest.
    const operation = known.find(({ method, url }) => url === input && method === init?.method);
    if (operation !== undefined && typeof init?.body === "string") {
      const { method, path } = operation;
      const headers = new Headers(init.headers);
      if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
      const session = service.begin(headers.get("authorization"));
      const { redirect } = init;
      const delivery = service.receive({ method, path, headers, body: wellFormed(init.body) }, session);
      return respond(delivery, { method, signal, redirect, service });
    }
    const url = isRequest(input) ? input.url : new URL(input, globalThis.location?.href).href;
    const path = service.pathOf(url);
    if (path === undefined && outside !== undefined) return outside(input, init);
    const request = new Request(input, init);
    const { method, headers, redirect } = request;
    const session = service.begin(headers.get("authorization"));
    if (path === undefined) {
      service.complainOfOutside(method, url, session);
      throw new TypeError(
        `fetch failed: ${url} is outside the base URL ${service.baseUrl} of the mock; use its baseUrl`,
      );
    }
    const body = new Uint8Array(await untilAborted(request.arrayBuffer(), signal));
    return respond(service.receive({ method, path, headers, body }, session), { method, signal, redirect, service });
  };
}

interface Context {
  readonly method: string;
  readonly signal: AbortSignal | null | undefined;
  readonly redirect: RequestRedirect | undefined;
  readonly service: PlantStoreService;
}

async function respond(pending: Delivery | Promise<Delivery>, context: Context): Promise<Response> {
  const delivery = pending instanceof Promise ? await untilAborted(pending, context.signal) : pending;
  switch (delivery.how) {
    case "networkError":
      throw connectionReset();
    case "lostResponse":
      throw otherSideClosed();
    case "connectionRefused":
      throw connectionRefused(context.service.baseUrl);
  }
  const response = createResponse(delivery, context);
  if (isRedirect(response) && context.redirect !== "manual") {
    throw new TypeError('fetch failed: the mock follows no redirect; pass redirect: "manual" to look at it');
  }
  return response;
}

function isRedirect({ status, headers }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.has("location");
}

/** By its fields: a Request of another realm, or of a package, is one too. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === "object" && "url" in input;
}

/** What fetch makes of a string: lone surrogates have no UTF-8. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Settles as the promise does, unless the caller leaves before. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | null | undefined): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

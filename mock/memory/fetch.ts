import type { PlantStoreService, RequestSession, ServiceRequest } from "../service/adapter.ts";
import type { Delivery } from "../service/delivery.ts";
import type { Fetch } from "../service/mock-plant-store.ts";
import { abortReason, connectionRefused, connectionReset, otherSideClosed } from "./network-errors.ts";
import { readBody } from "./read-body.ts";
import { type AnsweredRequest, createResponse } from "./response.ts";

/** The service in memory, as a `fetch`: with the responses and errors of the runtime's own, but without sockets. */
export function createFetch(service: PlantStoreService, outside: Fetch | undefined): Fetch {
  const { origin } = new URL(service.baseUrl);
  const known = service.operations.map(({ method, path }) => ({ method, path, url: `${origin}${path}` }));

  const fetch: Fetch = async (input, init) => {
    // `null` separates a request from the signal of the Request.
    const signal = init?.signal === undefined && isRequest(input) ? input.signal : init?.signal;
    if (signal?.aborted) throw abortReason(signal);
    // The fast path for requests of the client: creating a Request would take longer than everything else.
    const operation = known.find(({ method, url }) => url === input && method === init?.method);
    if (operation !== undefined && typeof init?.body === "string") {
      const { method, path } = operation;
      const headers = new Headers(init.headers);
      if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
      const session = service.begin(headers.get("authorization"));
      const { redirect } = init;
      return exchange({ service, session, method, path, headers, body: wellFormed(init.body), redirect, signal });
    }
    // Absolute, because Node's Request has no base, even if a test environment has a `location`.
    const absolute = isRequest(input) ? input : new URL(input, globalThis.location?.href).href;
    const url = isRequest(absolute) ? absolute.url : absolute;
    const path = service.pathOf(url);
    if (path === undefined && outside !== undefined) return outside(input, init);
    const source = isForeign(input) ? await adopt(input, signal) : absolute;
    const request = new Request(source, withoutSignal(init));
    const { method, headers, redirect } = request;
    const session = service.begin(headers.get("authorization"));
    if (path === undefined) throw outsideError(service, session, method, url);
    const body = await untilAborted(readBody(request, { service, session, signal }).catch(unreadable), signal);
    return exchange({ service, session, method, path, headers, body, redirect, signal });
  };
  return fetch;
}

/** The error of a request to a URL outside the base URL, which `verify` reports as well. */
function outsideError(service: PlantStoreService, session: RequestSession, method: string, url: string): TypeError {
  const problem = `${url} is outside the base URL ${service.baseUrl}`;
  const fix = "give the client the baseUrl of the mock, or set the option `outside` to a fetch for such requests";
  service.report(session, `${method} ${problem}`, fix);
  return new TypeError(`fetch failed: ${problem} of the mock; use its baseUrl`);
}

type Signal = AbortSignal | null | undefined;

interface Exchange extends ServiceRequest {
  readonly service: PlantStoreService;
  readonly session: RequestSession;
  readonly redirect: RequestRedirect | undefined;
  readonly signal: Signal;
}

async function exchange({ service, session, signal, redirect, ...request }: Exchange): Promise<Response> {
  let disconnect: (() => void) | undefined;
  const onDisconnect = (callback: () => void) => {
    disconnect = callback;
  };
  const pending = service.receive({ ...request, onDisconnect }, session);
  const delivery = "then" in pending ? await untilAborted(pending, signal, disconnect) : pending;
  const response = respond(delivery, service.baseUrl, { method: request.method, signal }, disconnect);
  if (redirect !== "manual" && isRedirect(response)) {
    throw new TypeError(
      'fetch failed: the mock does not follow redirects; pass redirect: "manual" to read the response',
    );
  }
  return response;
}

function respond(
  delivery: Delivery,
  baseUrl: string,
  request: AnsweredRequest,
  disconnect: (() => void) | undefined,
): Response {
  switch (delivery.how) {
    case "networkError":
      throw connectionReset();
    case "lostResponse":
      throw otherSideClosed();
    case "connectionRefused":
      throw connectionRefused(baseUrl);
    default:
      return createResponse(delivery, request, disconnect);
  }
}

function isRedirect({ status, headers }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.has("location");
}

/** Checks the shape, not the class: a Request may come from another realm or from a package. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === "object" && "url" in input;
}

/** A Request of undici or node-fetch, for example. The runtime's own Request accepts neither it nor its signal. */
function isForeign(input: string | URL | Request): input is Request {
  return isRequest(input) && !(input instanceof Request);
}

async function adopt(input: Request, signal: Signal): Promise<Request> {
  const { url, method, headers, redirect } = input;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? await untilAborted(input.arrayBuffer().catch(unreadable), signal) : null;
  return new Request(url, { method, headers: [...headers], redirect, body });
}

/** The members of `init` that matter here. A Request, which may be passed as well, inherits them: a spread omits them. */
const USED = ["method", "headers", "body", "redirect", "duplex"] as const;

/** A copy, because the signal is handled by `untilAborted`. */
function withoutSignal(init: (RequestInit & { duplex?: "half" }) | undefined): RequestInit {
  const used = USED.flatMap((name) => (init?.[name] === undefined ? [] : [[name, init[name]]]));
  return { ...init, ...Object.fromEntries(used), signal: null };
}

/** The error of a request whose body cannot be read, as of Node's own fetch. */
function unreadable(cause: unknown): never {
  throw new TypeError("fetch failed", { cause });
}

/** Replaces lone surrogates, which UTF-8 cannot encode, as fetch does. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Settles as the promise does, or rejects as soon as the signal is aborted. */
function untilAborted<Value>(promise: Promise<Value>, signal: Signal, onLeave?: () => void): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      onLeave?.();
      reject(abortReason(signal));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

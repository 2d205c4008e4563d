import type { Fetch } from "../service/mock-plant-store.ts";
import type { ServiceRequest } from "../service/request.ts";
import { pathUnder } from "../service/router.ts";
import type { Service } from "../service/service.ts";
import { abortReason, checkInit } from "./fetch-errors.ts";
import { readRequestBody, untilAborted } from "./read-request-body.ts";
import { createResponse, type Exchange, type Signal } from "./response.ts";

/** What lies between a client and the mock. */
export interface Network {
  /** Takes a request to the mock, which responds with `respond`, and brings the response back. */
  transmit(
    request: ServiceRequest,
    signal: Signal,
    respond: (signal: Signal) => Response | Promise<Response>,
  ): Promise<Response>;
}

/** The service in memory, as a `fetch`: with the responses and errors of the runtime's own, but without sockets. */
export function createFetch(service: Service, network?: Network): Fetch {
  const { origin } = new URL(service.baseUrl);
  const known = service.router.operations.map(({ method, path }) => ({ method, path, url: `${origin}${path}` }));
  const send = (request: ServiceRequest, exchange: Exchange) => {
    if (!network) return respond(request, exchange);
    const { signal } = exchange.caller;
    return network.transmit(request, signal, (signal) => respond(request, { ...exchange, caller: { signal } }));
  };

  return async (input, init) => {
    // `null` separates a request from the signal of the Request.
    const signal = init?.signal === undefined && isRequest(input) ? input.signal : init?.signal;
    checkInit(init ?? {});
    if (signal?.aborted) throw abortReason(signal);
    // The fast path for requests of the client: creating a Request would take longer than everything else.
    const operation = known.find(({ method, url }) => url === input && method === init?.method);
    const waiter = service.options.virtualClock?.waiter();
    if (operation !== undefined && typeof init?.body === "string" && Object.keys(init).every(isPlain)) {
      const { method, path, url } = operation;
      const { redirect } = init;
      const headers = new Headers(init.headers);
      if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
      const session = service.sessionOf(headers.get("authorization"));
      const request = { method, path, headers, body: wellFormed(init.body) };
      return send(request, { service, session, method, redirect, url, caller: { signal }, waiter });
    }
    // Absolute, because Node's Request has no base, even if a test environment has a `location`.
    const absolute = isRequest(input) ? input : new URL(input, globalThis.location?.href).href;
    const request = new Request(absolute, withoutSignal(init));
    const { redirect, url } = request;
    const caller = isRequest(input) && signal === input.signal ? input : { signal };
    return forward(request, send, { service, redirect, url: url.replace(/#.*/, ""), caller, waiter });
  };
}

/** The service as a function of a Request, for a server that passes its requests on, and for MSW. */
export function createHandle(service: Service): (request: Request) => Promise<Response> {
  return (request) => {
    if (service.options.virtualClock) return Promise.reject(new TypeError(`handle(): ${VIRTUAL_IN_MEMORY_ONLY}`));
    if (request.bodyUsed || request.body?.locked) return Promise.reject(alreadyRead(service, request));
    // A server's requests say "follow", but it is the client that follows redirects.
    const exchange = { service, redirect: "manual", url: undefined, caller: request, waiter: undefined } as const;
    return forward(request, respond, exchange);
  };
}

/** Why other forms refuse virtual time: a request on its way through a real `fetch` would be overtaken. */
export const VIRTUAL_IN_MEMORY_ONLY =
  "virtual time is for mock.fetch alone, because it does not wait for a request that a real fetch carries; use real time";

/** The members of `init` on the fast path: a Request checks the others. */
const PLAIN = ["method", "headers", "body", "redirect", "signal"];
const isPlain = (name: string) => PLAIN.includes(name);

/** Reads a Request of this realm, and sends it on. */
async function forward(
  request: Request,
  send: (request: ServiceRequest, exchange: Exchange) => Response | Promise<Response>,
  others: Omit<Exchange, "session" | "method">,
): Promise<Response> {
  const { service } = others;
  const { method, url, headers } = request;
  const session = service.sessionOf(headers.get("authorization"));
  const path = pathUnder(service.baseUrl, url);
  if (path === undefined) {
    const problem = `${url} is outside the base URL ${service.baseUrl}`;
    session.problems.add(`${method} ${problem}`, "give the client the baseUrl of the mock");
    throw new TypeError(`fetch failed: ${problem} of the mock; use its baseUrl`);
  }
  const exchange = { ...others, session, method };
  const body = await readRequestBody(request, exchange);
  return send({ method, path, headers, body }, exchange);
}

/** The error of a request whose body somebody else has begun to read, which `verify` reports as well. */
function alreadyRead(service: Service, { method, url, headers }: Request): TypeError {
  const problem = `${method} ${pathUnder(service.baseUrl, url)}: another handler has read the body`;
  const session = service.sessionOf(headers.get("authorization"));
  session.problems.add(problem, "let that handler read request.clone()");
  return new TypeError(problem);
}

/** Passes a request to the service. The result is a promise only if the request waits. */
function respond(request: ServiceRequest, exchange: Exchange): Response | Promise<Response> {
  const { service, session, caller, waiter } = exchange;
  const pending = service.receive(request, session, (disconnect) => {
    exchange.disconnect = disconnect;
  });
  if (!("then" in pending)) return createResponse(pending, exchange);
  const endWait = waiter?.();
  return untilAborted(pending, caller.signal, exchange.disconnect)
    .finally(endWait)
    .then((delivery) => createResponse(delivery, exchange));
}

function isRequest(input: string | URL | Request): input is Request {
  return typeof input === "object" && "url" in input;
}

/** A copy, because the signal is handled by `untilAborted`. A spread omits what `init` inherits, if it is a Request. */
function withoutSignal(init: (RequestInit & { duplex?: "half" }) | null | undefined): RequestInit {
  const { method, headers, body, redirect, duplex } = init ?? {};
  return { ...init, method, headers, body, redirect, duplex, signal: null } as RequestInit;
}

/** Replaces lone surrogates, which UTF-8 cannot encode, as fetch does. */
function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, "\ufffd");
}

const LONE_SURROGATES = /\p{Surrogate}/gu;

import { IN_MEMORY_ONLY } from "../service/faults/fault.ts";
import type { Fetch } from "../service/mock-plant-store.ts";
import type { ServiceRequest } from "../service/request.ts";
import { pathUnder } from "../service/router.ts";
import type { Service } from "../service/service.ts";
import type { SessionState } from "../service/sessions/session-state.ts";
import type { Delivery } from "../service/wire-reply.ts";
import { abortReason, connectionRefused, connectionReset, otherSideClosed } from "./network-errors.ts";
import { readRequestBody, untilAborted } from "./read-request-body.ts";
import { checkHeaders, checkInit } from "./refused-requests.ts";
import { asFetched, createResponse } from "./response.ts";

/** The service in memory, as a `fetch`: with the responses and errors of the runtime's own, but without sockets. */
export function createFetch(service: Service, network?: Network): Fetch {
  const { origin } = new URL(service.baseUrl);
  const known = service.operations.map(({ method, path }) => ({ method, path, url: `${origin}${path}` }));
  const onRefused = () => connectionRefused(service.baseUrl);

  return async (input, init) => {
    // `null` separates a request from the signal of the Request.
    const signal = init?.signal === undefined && isRequest(input) ? input.signal : init?.signal;
    checkInit(init ?? {});
    if (signal?.aborted) throw abortReason(signal);
    // The fast path for requests of the client: creating a Request would take longer than everything else.
    const operation = known.find(({ method, url }) => url === input && method === init?.method);
    const waiter = service.options.virtualClock?.waiter();
    if (operation !== undefined && typeof init?.body === "string" && Object.keys(init).every(isPlain)) {
      const { method, path } = operation;
      const headers = new Headers(init.headers);
      if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
      const session = service.sessionOf(headers.get("authorization"));
      const { redirect } = init;
      const body = wellFormed(init.body);
      return exchange({ method, path, headers, body }, session, {
        service,
        network,
        waiter,
        caller: { signal },
        redirect,
        onRefused,
        url: operation.url,
      });
    }
    // Absolute, because Node's Request has no base, even if a test environment has a `location`.
    const absolute = isRequest(input) ? input : new URL(input, globalThis.location?.href).href;
    const request = new Request(absolute, withoutSignal(init));
    const caller = isRequest(input) && signal === input.signal ? input : { signal };
    return serve(request, {
      service,
      network,
      waiter,
      caller,
      redirect: request.redirect,
      onRefused,
      url: request.url,
    });
  };
}

/** The service as a function of a Request, for a server that passes its requests on, and for MSW. */
export function createHandle(service: Service): (request: Request) => Promise<Response> {
  return (request) => {
    if (service.options.virtualClock) return Promise.reject(new TypeError(`handle(): ${VIRTUAL_IN_MEMORY_ONLY}`));
    if (request.bodyUsed || request.body?.locked) return Promise.reject(alreadyRead(service, request));
    // A server's requests say "follow", but it is the client that follows redirects.
    return serve(request, { service, caller: request, redirect: "manual", onRefused: refuseFault });
  };
}

/** Why other forms refuse virtual time: a request on its way through a real `fetch` would be overtaken. */
export const VIRTUAL_IN_MEMORY_ONLY =
  "virtual time is for mock.fetch alone, because it does not wait for a request that a real fetch carries; use real time";

type Signal = AbortSignal | null | undefined;

/** What lies between a client and the mock. */
export interface Network {
  /** Takes a request to the mock, which `deliver` gives it to, and brings the response back. */
  carry(
    request: ServiceRequest,
    signal: Signal,
    deliver: (signal: Signal) => Response | Promise<Response>,
  ): Promise<Response>;
}

/** How a request is answered. */
interface Exchange {
  readonly service: Service;
  readonly network?: Network | undefined;
  /** Begins a wait in the mock, by virtual time. */
  readonly waiter?: (() => () => void) | undefined;
  /** The Request that has the signal, or an object in its place: a Request holds the signal of its caller only weakly. */
  readonly caller: { readonly signal?: Signal };
  readonly redirect: RequestRedirect | undefined;
  /** The error of the fault `connectionRefused`. */
  readonly onRefused: (session: SessionState) => TypeError;
  /** The URL of the response, and present only for `fetch`: a server that passes its requests on has sent them. */
  readonly url?: string;
}

/** The members of `init` on the fast path: a Request checks the others. */
const isPlain = (name: string) => ["method", "headers", "body", "redirect", "signal"].includes(name);

/** Reads the body of a Request of this realm, and answers it. */
async function serve(request: Request, options: Exchange): Promise<Response> {
  const { service, caller } = options;
  const { method, url, headers } = request;
  const session = service.sessionOf(headers.get("authorization"));
  const path = pathUnder(service.baseUrl, url);
  if (path === undefined) throw outsideError(service, session, request);
  const { maxBodyBytes } = service.options;
  const body = await readRequestBody(request, { maxBodyBytes, session, signal: caller.signal });
  return exchange({ method, path, headers, body }, session, options);
}

/** The error of a request to a URL outside the base URL, which `verify` reports as well. */
function outsideError({ baseUrl }: Service, session: SessionState, { method, url }: Request): TypeError {
  const problem = `${url} is outside the base URL ${baseUrl}`;
  session.problems.add(`${method} ${problem}`, "give the client the baseUrl of the mock");
  return new TypeError(`fetch failed: ${problem} of the mock; use its baseUrl`);
}

/** The error of a request whose body somebody else has begun to read, which `verify` reports as well. */
function alreadyRead(service: Service, { method, url, headers }: Request): TypeError {
  const problem = `${method} ${pathUnder(service.baseUrl, url)}: another handler has read the body`;
  const session = service.sessionOf(headers.get("authorization"));
  session.problems.add(problem, "let that handler read request.clone()");
  return new TypeError(problem);
}

/** The error of a connection that has carried a request, and so cannot be refused any more; `verify` reports it too. */
function refuseFault(session: SessionState): TypeError {
  const problem = "the fault connectionRefused met a request through createHandlers() or handle()";
  session.problems.add(problem, IN_MEMORY_ONLY);
  return new TypeError(`${problem}: ${IN_MEMORY_ONLY}`);
}

/** Passes a request to the service. The result is a promise only if the request waits. */
function exchange(request: ServiceRequest, session: SessionState, options: Exchange): Response | Promise<Response> {
  const { network, service } = options;
  if (options.url !== undefined) checkHeaders(request, service.options.maxBodyBytes);
  if (network) {
    const direct = { ...options, network: undefined };
    return network.carry(request, options.caller.signal, (signal) =>
      exchange(request, session, { ...direct, caller: { signal } }),
    );
  }
  let disconnect: (() => void) | undefined;
  const pending = service.receive(request, session, (callback) => {
    disconnect = callback;
  });
  const respondTo = (delivery: Delivery) => respond(delivery, request.method, session, options, disconnect);
  if (!("then" in pending)) return respondTo(pending);
  const endWait = options.waiter?.();
  return untilAborted(pending, options.caller.signal, disconnect).finally(endWait).then(respondTo);
}

function respond(
  delivery: Delivery,
  method: string,
  session: SessionState,
  { caller, waiter, redirect, onRefused, url }: Exchange,
  disconnect: (() => void) | undefined,
): Response {
  switch (delivery.how) {
    case "networkError":
      throw connectionReset();
    case "lostResponse":
      throw otherSideClosed();
    case "connectionRefused":
      throw onRefused(session);
    case "reply":
    case "truncatedBody":
    case "stalledBody":
      return asFetched(checkRedirect(createResponse(delivery, { method, caller, waiter, disconnect }), redirect), url);
  }
}

/** @throws TypeError for a redirect that the caller wants to be followed. */
function checkRedirect(response: Response, redirect: RequestRedirect | undefined): Response {
  if (redirect === "manual" || !isRedirect(response)) return response;
  throw new TypeError('fetch failed: the mock does not follow redirects; pass redirect: "manual" to read the response');
}

function isRedirect({ status, headers }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.has("location");
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
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

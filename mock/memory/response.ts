import { IN_MEMORY_ONLY } from "../service/faults/check-fault.ts";
import type { Service } from "../service/service.ts";
import type { Delivery, ServiceReply } from "../service/service-reply.ts";
import type { SessionState } from "../service/sessions/session-state.ts";
import { headerPairs, NO_BODY } from "../service/wire-reply.ts";
import { abortReason, connectionRefused, connectionReset, otherSideClosed } from "./fetch-errors.ts";

export type Signal = AbortSignal | null | undefined;

/** A request, as far as its response depends on it. */
export interface Exchange {
  readonly service: Service;
  readonly session: SessionState;
  readonly method: string;
  readonly redirect: RequestRedirect | undefined;
  /** The URL of the response, and present only for `fetch`: a server that passes its requests on has sent them. */
  readonly url: string | undefined;
  /** The Request that has the signal, or an object in its place: a Request holds the signal of its caller only weakly. */
  readonly caller: { readonly signal?: Signal };
  /** Begins a wait in the mock, by virtual time. */
  readonly waiter: (() => () => void) | undefined;
  /** Present if the request has waited: reports that its client has left. */
  disconnect?: () => void;
}

/**
 * Creates the `Response` for a delivery.
 *
 * @throws TypeError, as Node's `fetch` does, if there is no response.
 */
export function createResponse(delivery: Delivery, exchange: Exchange): Response {
  switch (delivery.how) {
    case "networkError":
      throw connectionReset();
    case "lostResponse":
      throw otherSideClosed();
    case "connectionRefused":
      throw exchange.url === undefined ? tooLate(exchange.session) : connectionRefused(exchange.service.baseUrl);
  }
  const { status } = delivery;
  const headers = headerPairs(delivery.headers);
  if (exchange.redirect !== "manual" && isRedirect(status, headers)) {
    throw new TypeError(
      'fetch failed: the mock does not follow redirects; pass redirect: "manual" to read the response',
    );
  }
  const init = { status, headers };
  if (NO_BODY.has(status) || exchange.method === "HEAD") return create(null, init, exchange.url);
  // Bytes, because Response would label a string text/plain. With a Content-Length, because without one MSW 3 retains
  // about 50 kB per response.
  const bytes = new TextEncoder().encode(delivery.body);
  headers.push(["Content-Length", `${bytes.byteLength}`]);
  return create(bodyOf(delivery, bytes, exchange), init, exchange.url);
}

/** The error of a connection that has carried a request, and so cannot be refused any more; `verify` reports it too. */
function tooLate({ problems }: SessionState): TypeError {
  const problem = "the fault connectionRefused met a request through createHandlers() or handle()";
  problems.add(problem, IN_MEMORY_ONLY);
  return new TypeError(`${problem}: ${IN_MEMORY_ONLY}`);
}

function isRedirect(status: number, headers: readonly [name: string, value: string][]): boolean {
  return REDIRECTS.has(status) && headers.some(([name]) => name.toLowerCase() === "location");
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function create(body: BodyInit | null, init: ResponseInit, url: string | undefined): Response {
  if (url === undefined) return new Response(body, init);
  FetchedResponse ??= defineFetchedResponse();
  return new FetchedResponse(body, init, url);
}

let FetchedResponse: ReturnType<typeof defineFetchedResponse> | undefined;

/** Called on first use: reading `Response` loads `fetch` in Node. */
function defineFetchedResponse() {
  /** A response as `fetch` gives it: with the URL of its request. */
  return class Fetched extends Response {
    readonly #url: string;

    constructor(body: BodyInit | null, init: ResponseInit, url: string) {
      super(body, init);
      this.#url = url;
    }

    override get url(): string {
      return this.#url;
    }
  };
}

function bodyOf(delivery: ServiceReply, bytes: Uint8Array<ArrayBuffer>, exchange: Exchange): BodyInit {
  const half = () => bytes.slice(0, bytes.byteLength / 2);
  switch (delivery.how) {
    case "reply":
      return bytes;
    case "truncatedBody":
      return truncated(half());
    case "stalledBody":
      return stalled(half(), delivery.ended as Promise<void>, exchange);
  }
}

function truncated(half: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(otherSideClosed("terminated"));
      else controller.enqueue(half);
      isSent = true;
    },
  });
}

function stalled(half: Uint8Array, ended: Promise<void>, exchange: Exchange): ReadableStream<Uint8Array> {
  const listening = new AbortController();
  const { caller, waiter, disconnect } = exchange;
  const { signal } = caller;
  let endWait: (() => void) | undefined;
  return new ReadableStream({
    start(controller) {
      const onAbort = () => {
        // By this use of `caller`: a Request that is collected forgets the signal of its caller (nodejs/undici#3644).
        controller.error(abortReason(caller.signal as AbortSignal));
        endWait?.();
        disconnect?.();
      };
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort, { signal: listening.signal });
      controller.enqueue(half);
      // If the stream has already failed with an abort, this has no effect.
      ended.then(() => {
        controller.error(connectionReset());
        endWait?.();
      });
    },
    pull: () => {
      // Its reader has read the half, and waits.
      endWait ??= waiter?.();
    },
    cancel: () => {
      listening.abort();
      endWait?.();
      disconnect?.();
    },
  });
}

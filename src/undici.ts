/**
 * A transport for Node that is faster than the global `fetch`.
 *
 * @module plant-store-client/undici
 */

import type { Dispatcher } from "undici";
import * as undici from "undici";
import { FETCH_MARK } from "./contract/fetch-mark.ts";
import { integer, type Rule } from "./contract/rules.ts";
import { PlantStoreConfigError } from "./errors.ts";
import { be, boolean, readByRules } from "./options.ts";
import type { Fetch } from "./transport/call.ts";
import { type DispatchWatch, isMock, trustDispatcher } from "./transport/dispatch-watch.ts";

/** Options of {@link createUndiciFetch}. `undefined` means absent. */
export interface UndiciFetchOptions {
  /**
   * How many sockets may be open to one origin.
   *
   * @defaultValue no limit
   */
  connections?: number | undefined;
  /**
   * Speak HTTP/2 over TLS if the service offers it. A request that the service provably did not process, because it
   * refused the stream or was shutting down (RFC 9113, section 8.7), is then `rejected` and sent again. It needs undici
   * 8.12 or later of 8, and Node 22.19 or later.
   *
   * @defaultValue false
   */
  http2?: boolean | undefined;
  /**
   * A dispatcher of the application's own (a proxy, a mock) instead of a new Agent; `close` leaves it open. It must
   * neither follow redirects nor send a POST again by itself: then no error would prove that nothing was sent.
   */
  dispatcher?: Dispatcher | undefined;
}

/** A {@link Fetch} that holds connections. */
export interface UndiciFetch extends Fetch {
  /** Ends the connections, once the requests under way are done; a dispatcher of the application's own stays open. */
  close(): Promise<void>;
}

/**
 * Makes a transport for Node that is faster than the global `fetch`: undici's `dispatch`, behind the client's `fetch`
 * option, with the same errors and outcomes. It needs the package undici, 6 to 8.
 *
 * It is made for the client: it sends what the client sends, and what it resolves to has as much of a Response as the
 * client reads. MSW 2 does not see it: test with `mock.fetch`, or with the HTTP form of the mock.
 *
 * @param options - How to connect.
 * @returns What to hand in as `fetch`.
 * @throws `PlantStoreConfigError` where an option is wrong, or `http2` is not possible here.
 *
 * @example
 * {@includeCode ../docs/code/undici.ts#transport}
 */
export function createUndiciFetch(options: UndiciFetchOptions = {}): UndiciFetch {
  const { connections = null, http2 = false, dispatcher } = readByRules(options, RULES);
  if (http2) checkHttp2(dispatcher);
  const agent = dispatcher ?? new undici.Agent({ connections, allowH2: http2 });
  if (!dispatcher) trustDispatcher(agent);

  let closing: Promise<void> | undefined;

  const undiciFetch = (url: string, init: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      if (closing && !dispatcher) throw closedError();
      init.signal?.throwIfAborted();
      const { origin, pathname, search } = new URL(url);
      const request: Dispatcher.DispatchOptions = {
        origin,
        path: `${pathname}${search}`,
        method: init.method as Dispatcher.HttpMethod,
        headers: requestHeaders(init.headers),
        body: init.body as string,
        // The client's deadline covers both; undici's own 300 seconds would cut a longer one short.
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      const respond = (reply: UndiciReply) => resolve(reply as unknown as Response);
      const { dispatcher: watch } = init as { readonly dispatcher?: DispatchWatch };
      if (!isMock(agent)) watch?.enter(agent);
      agent.dispatch(request, new UndiciReply(respond, reject, init.signal, watch, http2));
    });
  return Object.assign(undiciFetch, {
    /** So that the client trusts its errors as it does those of the runtime's own `fetch`. */
    [FETCH_MARK]: "watched",
    close: () => {
      // Undici rejects a second time.
      closing ??= dispatcher ? Promise.resolve() : agent.close();
      return closing;
    },
  });
}

const RULES: { readonly [Name in keyof Required<UndiciFetchOptions>]: Rule } = {
  connections: integer(1),
  http2: boolean,
  dispatcher: be(
    "a Dispatcher of undici",
    (value) => typeof (value as Partial<Dispatcher> | null)?.dispatch === "function",
  ),
};

/** Earlier versions send a POST again that the service may have processed, or do not say that a stream was refused. */
function checkHttp2(dispatcher: Dispatcher | undefined): void {
  const fail = (problem: string) => {
    throw new PlantStoreConfigError({ option: "http2", message: `http2 ${problem}` });
  };
  if (dispatcher) fail("has no effect on a dispatcher of your own: pass one of the two");
  // Undici names its version nowhere else.
  const { Dispatcher1Wrapper } = undici as { readonly Dispatcher1Wrapper?: { readonly prototype: object } };
  if (!Dispatcher1Wrapper || !("eventSourceOptions" in Dispatcher1Wrapper.prototype)) {
    fail("needs undici 8.12 or later of 8, on Node 22.19 or later; an earlier undici is installed");
  }
}

/** Undici's own would be the one that requests under way get too when they are cut off, and would prove nothing. */
function closedError(): Error {
  return Object.assign(new Error("createUndiciFetch was closed before this request"), { code: "UND_ERR_CLOSED" });
}

/** Undici is about to send a request again, because HTTP/2 says that the service did not process it. */
function refusedError(): Error {
  const message = "The service refused the HTTP/2 stream before it processed the request";
  return Object.assign(new Error(message), { code: "HTTP2_REQUEST_REFUSED" });
}

type UndiciHeaders = Record<string, string | string[] | undefined>;

/**
 * Hears from undici what becomes of one request. It is as much of a Response as the client reads, that Response's body,
 * and the body's reader: a real Response would cost more than the request, and so would a stream.
 */
class UndiciReply implements Dispatcher.DispatchHandler {
  status = 0;
  headers!: Headers;
  readonly body = this;

  readonly #respond: (reply: UndiciReply) => void;
  readonly #reject: (error: unknown) => void;
  readonly #signal: AbortSignal | null | undefined;
  readonly #watch: DispatchWatch | undefined;
  readonly #isHttp2: boolean;
  readonly #chunks: Uint8Array[] = [];
  #controller: { abort(reason: Error): void } | undefined;
  #hasBegun = false;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  /** Goes on with the read that waits. */
  #wake = () => {};

  constructor(
    respond: (reply: UndiciReply) => void,
    reject: (error: unknown) => void,
    signal: AbortSignal | null | undefined,
    watch: DispatchWatch | undefined,
    isHttp2: boolean,
  ) {
    this.#respond = respond;
    this.#reject = reject;
    this.#signal = signal;
    this.#watch = watch;
    this.#isHttp2 = isHttp2;
    signal?.addEventListener("abort", this.#onAbort);
  }

  getReader(): this {
    return this;
  }

  async read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    for (;;) {
      const value = this.#chunks.shift();
      if (value) return { done: false, value };
      if (this.#failure) throw this.#failure.error;
      if (this.#isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async cancel(): Promise<void> {
    this.#stop(new Error("The body was cancelled"));
  }

  // What undici 7 and 8 call.

  onRequestStart(controller: { abort(reason: Error): void }): void {
    this.#controller = controller;
    this.#watch?.begin();
    // Stopped while it waited for a socket.
    if (this.#failure) controller.abort(this.#failure.error as Error);
    // The client itself sends it again, with a record of each attempt and within its limits.
    else if (this.#isHttp2 && this.#hasBegun) controller.abort(refusedError());
    this.#hasBegun = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: UndiciHeaders): void {
    this.#start(status, responseHeaders(headers));
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    // Not held back: the client reads without a pause, and cancels what is too long.
    this.#chunks.push(chunk);
    this.#wake();
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#watch?.fail(error);
    this.#end({ error });
  }

  // What undici 6 calls.

  onConnect(abort: (reason: Error) => void): void {
    this.onRequestStart({ abort });
  }

  onHeaders(status: number, namesAndValues: readonly Uint8Array[]): boolean {
    this.#start(status, rawHeaders(namesAndValues));
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    this.onResponseData(undefined, chunk);
    return true;
  }

  onComplete(): void {
    this.#end();
  }

  onError(error: unknown): void {
    this.onResponseError(undefined, error);
  }

  #start(status: number, headers: Headers): void {
    // Before the reply there may be the likes of 103 Early Hints.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.#respond(this);
  }

  readonly #onAbort = (): void => this.#stop(this.#signal?.reason);

  #stop(reason: unknown): void {
    this.#end({ error: reason });
    this.#controller?.abort(reason as Error);
  }

  #end(failure?: { readonly error: unknown }): void {
    // What was stopped ends once more, when undici has stopped it.
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    if (failure) this.#reject(failure.error);
    this.#wake();
  }
}

/** Undici does not decompress here, as fetch does: the request has to say so. */
function requestHeaders(headers: HeadersInit = {}): string[] {
  const flat = ["accept-encoding", "identity"];
  const pairs = (Symbol.iterator in headers ? headers : Object.entries(headers)) as Iterable<[string, string]>;
  for (const [name, value] of pairs) {
    if (name.toLowerCase() !== "accept-encoding") flat.push(name, value);
  }
  return flat;
}

/** Headers as undici 7 and 8 have them. */
function responseHeaders(record: UndiciHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === "string") headers.append(name, byteString(value));
    else for (const each of value ?? []) headers.append(name, byteString(each));
  }
  return headers;
}

/** Headers as undici 6 has them: names and values in turn. */
function rawHeaders(namesAndValues: readonly Uint8Array[]): Headers {
  const headers = new Headers();
  const texts = namesAndValues.map(latin1);
  for (let i = 0; i < texts.length; i += 2) headers.append(texts[i] as string, texts[i + 1] as string);
  return headers;
}

/** Headers would throw at what is beyond Latin-1: early versions of undici 7 read headers as UTF-8. */
function byteString(value: string): string {
  return /[^\0-\xff]/.test(value) ? latin1(new TextEncoder().encode(value)) : value;
}

/** A header may be longer than a call can have arguments. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

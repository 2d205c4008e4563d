/**
 * A transport for Node that is faster than the global `fetch`.
 *
 * @module plant-store-client/undici
 */

import type { Dispatcher } from "undici";
import * as undici from "undici";
import type { DispatchWatch } from "#platform";
import { FETCH_MARK } from "./contract/fetch-mark.ts";
import { integer, type Rule } from "./contract/rules.ts";
import { PlantStoreConfigError } from "./errors.ts";
import { be, boolean, readByRules } from "./options.ts";
import type { Fetch } from "./transport/call.ts";

/** Options of {@link createUndiciFetch}. `undefined` means absent. */
export interface UndiciFetchOptions {
  /**
   * The maximum number of sockets per origin.
   *
   * @defaultValue no limit
   */
  connections?: number | undefined;
  /**
   * Whether to use HTTP/2 over TLS if the service offers it. A request that the service provably did not process, because
   * it refused the stream or was shutting down (RFC 9113, section 8.7), is then `rejected` and retried. It needs undici 8.12
   * or later of 8, and Node 22.19 or later.
   *
   * @defaultValue false
   */
  http2?: boolean | undefined;
  /**
   * The application's own dispatcher (a proxy, a mock) instead of a new Agent; `close` leaves it open. It must neither
   * follow redirects nor retry a POST by itself, because then no error would prove that nothing was sent.
   */
  dispatcher?: Dispatcher | undefined;
}

/** A {@link Fetch} that keeps connections open. */
export interface UndiciFetch extends Fetch {
  /** Closes the connections after the requests in flight. The application's own dispatcher stays open. */
  close(): Promise<void>;
}

/**
 * Makes a transport for Node that is faster than the global `fetch`: undici's `dispatch`, behind the client's `fetch`
 * option, with the same errors and outcomes. It needs the package undici, 6 to 8.
 *
 * It serves the client only: it resolves to an object with the parts of a Response that the client reads. MSW 2 does not
 * intercept it: test with `mock.fetch`, or with the HTTP form of the mock.
 *
 * @param options - How to connect.
 * @returns The value for the client's `fetch` option.
 * @throws `PlantStoreConfigError` if an option is invalid, or if `http2` is not possible here.
 *
 * @example
 * {@includeCode ../docs/code/undici.ts#transport}
 */
export function createUndiciFetch(options: UndiciFetchOptions = {}): UndiciFetch {
  const { connections = null, http2 = false, dispatcher } = readByRules(options, RULES);
  if (http2) checkHttp2(dispatcher);
  const agent = dispatcher ?? new undici.Agent({ connections, allowH2: http2 });

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
        // The client's deadline covers both; undici's own 300 seconds would end a longer one early.
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      const respond = (reply: UndiciReply) => resolve(reply as unknown as Response);
      const { dispatcher: watch } = init as { readonly dispatcher?: DispatchWatch };
      watch?.enter(agent, !dispatcher);
      agent.dispatch(request, new UndiciReply(respond, reject, init.signal, watch, http2));
    });
  return Object.assign(undiciFetch, {
    /** The client trusts its errors like those of the runtime's own `fetch`. */
    [FETCH_MARK]: "watched",
    close: () => {
      // A second `close` of undici rejects.
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

/** Earlier versions retry a POST that the service may have processed, or do not report a refused stream. */
function checkHttp2(dispatcher: Dispatcher | undefined): void {
  const fail = (problem: string) => {
    throw new PlantStoreConfigError({ option: "http2", message: `http2 ${problem}` });
  };
  if (dispatcher) fail("has no effect on a dispatcher of your own: pass one of the two");
  // Undici exports no version; its wrapper shows it.
  const { Dispatcher1Wrapper } = undici as { readonly Dispatcher1Wrapper?: { readonly prototype: object } };
  if (!Dispatcher1Wrapper || !("eventSourceOptions" in Dispatcher1Wrapper.prototype)) {
    fail("needs undici 8.12 or later of 8, on Node 22.19 or later; an earlier undici is installed");
  }
}

/** Undici's own error is also that of requests in flight which are cut off, and so proves nothing. */
function closedError(): Error {
  return Object.assign(new Error("createUndiciFetch was closed before this request"), { code: "UND_ERR_CLOSED" });
}

/** Undici is about to send a request again, because the service did not process it (HTTP/2). */
function refusedError(): Error {
  const message = "The service refused the HTTP/2 stream before it processed the request";
  return Object.assign(new Error(message), { code: "HTTP2_REQUEST_REFUSED" });
}

type UndiciHeaders = Record<string, string | string[] | undefined>;

/**
 * Handles the events of one request. It is the part of a Response that the client reads, that Response's body, and the
 * body's reader: a real Response would cost more than the request, and so would a stream.
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
  /** Continues the pending read. */
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

  // Called by undici 7 and 8.

  onRequestStart(controller: { abort(reason: Error): void }): void {
    this.#controller = controller;
    this.#watch?.begin();
    // Stopped while it was waiting for a socket.
    if (this.#failure) controller.abort(this.#failure.error as Error);
    // The client itself retries it, with a record of each attempt and within its limits.
    else if (this.#isHttp2 && this.#hasBegun) controller.abort(refusedError());
    this.#hasBegun = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: UndiciHeaders): void {
    this.#start(status, responseHeaders(headers));
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    // No backpressure: the client reads without a pause, and cancels a body that is too long.
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

  // Called by undici 6.

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
    // Interim responses, such as 103 Early Hints.
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
    // A stopped request ends once more when undici has stopped it.
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    if (failure) this.#reject(failure.error);
    this.#wake();
  }
}

/** Unlike fetch, undici's `dispatch` does not decompress, so the request asks for no compression. */
function requestHeaders(headers: HeadersInit = {}): string[] {
  const flat = ["accept-encoding", "identity"];
  const pairs = (Symbol.iterator in headers ? headers : Object.entries(headers)) as Iterable<[string, string]>;
  for (const [name, value] of pairs) {
    if (name.toLowerCase() !== "accept-encoding") flat.push(name, value);
  }
  return flat;
}

/** Headers in the form of undici 7 and 8. */
function responseHeaders(record: UndiciHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === "string") headers.append(name, byteString(value));
    else for (const each of value ?? []) headers.append(name, byteString(each));
  }
  return headers;
}

/** Headers in the form of undici 6: names and values in turn. */
function rawHeaders(namesAndValues: readonly Uint8Array[]): Headers {
  const headers = new Headers();
  const texts = namesAndValues.map(latin1);
  for (let i = 0; i < texts.length; i += 2) headers.append(texts[i] as string, texts[i + 1] as string);
  return headers;
}

/** Early versions of undici 7 read headers as UTF-8, and `Headers` throws on characters beyond Latin-1. */
function byteString(value: string): string {
  return /[^\0-\xff]/.test(value) ? latin1(new TextEncoder().encode(value)) : value;
}

/** Not String.fromCharCode, because a header may have more bytes than a call can have arguments. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

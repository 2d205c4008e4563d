import type { DispatchWatch } from "#platform";
import { abortReason } from "../transport/abort.ts";
import { RAW_HEADERS, type RawHeaders } from "../transport/reply.ts";
import { isLeftOut } from "./connect.ts";
import { rawHeaders, responseHeaders } from "./headers.ts";

/**
 * The errors of a request that the service did not process (RFC 9113, section 8.7): undici's for a stream that a GOAWAY
 * leaves out, or whose HEADERS frame was not sent.
 */
const NOT_PROCESSED = /^HTTP\/2: "(GOAWAY" frame|frameError" received - type 1,)/;

/**
 * Node's error for a stream that was reset as refused, or that a GOAWAY leaves out. The reset proves nothing: HAProxy also
 * sends it if the service processed the request and closed a reused connection without a response.
 */
const REFUSED = "Stream closed with error code NGHTTP2_REFUSED_STREAM";

function isNotProcessed(error: unknown): boolean {
  const message = `${(error as Error | null)?.message}`;
  return NOT_PROCESSED.test(message) || (message === REFUSED && isLeftOut(error));
}

/** The service did not process the request (HTTP/2). */
function refusedError(): Error {
  const message = "The service refused the HTTP/2 stream before it processed the request";
  return Object.assign(new Error(message), { code: "HTTP2_REQUEST_REFUSED" });
}

/**
 * Handles undici's events of one request. The same object is the part of a Response that the client reads, its body,
 * and the body's reader: a real Response or stream would cost more than the request.
 */
export class UndiciReply {
  status = 0;
  [RAW_HEADERS]: RawHeaders = {};
  readonly body = this;
  #headers: Headers | undefined;

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
    signal?.addEventListener("abort", this);
  }

  /** Created when something reads it: the client does for a result with headers and for an error. */
  get headers(): Headers {
    this.#headers ??= responseHeaders(this[RAW_HEADERS]);
    return this.#headers;
  }

  getReader(): this {
    return this;
  }

  read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    const value = this.#chunks.shift();
    if (value) return Promise.resolve({ done: false, value });
    if (this.#failure) return Promise.reject(this.#failure.error);
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return woken.then(() => this.read());
  }

  async cancel(): Promise<void> {
    this.#stop(new Error("The body was canceled"));
  }

  // Called by undici 7 and 8.

  onRequestStart(controller: { abort(reason: Error): void }): void {
    // An exception prevents the request. Its abort would close the connection, and an interceptor may replace it.
    this.#watch?.begin();
    // The call was stopped while the request waited for a socket.
    if (this.#failure) throw this.#failure.error;
    // The session was closed before undici could open a stream, and it sends the request on another. The client retries it
    // instead, within its limits and with a record of each attempt.
    if (this.#isHttp2 && this.#hasBegun) throw refusedError();
    this.#hasBegun = true;
    this.#controller = controller;
  }

  onResponseStart(_controller: unknown, status: number, headers: RawHeaders): void {
    this.#start(status, headers);
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
    const isRefused = this.#isHttp2 && this.status === 0 && isNotProcessed(error);
    this.#end({ error: isRefused ? refusedError() : error });
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

  #start(status: number, headers: RawHeaders): void {
    // Interim responses, such as 103 Early Hints.
    if (status < 200) return;
    this.#watch?.answer();
    this.status = status;
    this[RAW_HEADERS] = headers;
    this.#respond(this);
    // Openapi-fetch does not read its body, which may not end: unread, it would hold its connection.
    if (status === 204) this.cancel();
  }

  /** The signal was aborted. */
  handleEvent(): void {
    this.#stop(abortReason(this.#signal));
  }

  /**
   * Aborts only after the other requests that end at the same time have stopped. Otherwise undici would open an HTTP/2
   * stream for one of them, above the limit of the service, and its abort would make Node loop forever.
   */
  #stop(reason: unknown): void {
    this.#end({ error: reason });
    setImmediate(() => this.#controller?.abort(reason as Error));
  }

  #end(failure?: { readonly error: unknown }): void {
    // A stopped request ends a second time when undici has aborted it.
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    if (failure) this.#reject(failure.error);
    this.#wake();
    try {
      this.#signal?.removeEventListener("abort", this);
    } catch {
      // An application's own signal may throw; in undici's callback, that would end the process.
    }
  }
}

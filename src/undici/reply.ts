import type { DispatchWatch } from "#platform";
import { abortReason } from "../call/abort.ts";
import type { ChunkReader } from "../call/response-body.ts";
import { type Decoder, decode, decodersOf } from "./content-coding.ts";
import { LightHeaders, type RawHeaders } from "./headers.ts";

/** The most bytes that wait to be read: only a decoder can be so much slower than the network, on a body without an end. */
const MAX_UNREAD = 16 * 2 ** 20;
/** What each chunk counts on top of its bytes: it may have only one. */
const CHUNK_BYTES = 512;

/**
 * Handles undici's events of one request. The same object is the part of a Response that the client reads, its body,
 * and the body's reader: a real Response or stream would cost more than the request.
 */
export class UndiciReply {
  status = 0;
  headers = new LightHeaders({});
  readonly body = this;

  readonly #chunks: Uint8Array[] = [];
  #unread = 0;
  /** They undo the Content-Encoding of the body. */
  #decoders: readonly Decoder[] = [];
  #controller: { abort(reason: Error): void } | undefined;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  /** Continues the pending read. */
  #wake = () => {};

  constructor(
    private readonly respond: (reply: UndiciReply) => void,
    private readonly reject: (error: unknown) => void,
    private readonly signal: AbortSignal | null | undefined,
    private readonly watch: DispatchWatch | undefined,
  ) {
    signal?.addEventListener("abort", this);
  }

  /** Unlike `fetch`, undici's `dispatch` leaves a compressed body as it is, which a service may send unasked. */
  getReader(): ChunkReader {
    if (this.#decoders.length === 0) return this;
    const chunks = decode(this, this.#decoders);
    return { read: () => chunks.next(), cancel: () => this.cancel() };
  }

  read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    // First: data may still arrive after an abort, and what came before it is gone.
    if (this.#failure) return Promise.reject(this.#failure.error);
    const value = this.#chunks.shift();
    if (value) {
      this.#unread -= value.byteLength + CHUNK_BYTES;
      return Promise.resolve({ done: false, value });
    }
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return woken.then(() => this.read());
  }

  async cancel(): Promise<void> {
    this.#stop(new Error("The body was canceled"));
  }

  // Called by undici.

  onRequestStart(controller: { abort(reason: Error): void }): void {
    // An exception prevents the request. Its abort would close the connection, and an interceptor may replace it.
    this.watch?.begin();
    // The call was stopped while the request waited for a socket.
    if (this.#failure) throw this.#failure.error;
    this.#controller = controller;
  }

  onResponseStart(_controller: unknown, status: number, headers: RawHeaders): void {
    // Interim responses, such as 103 Early Hints.
    if (status < 200) return;
    this.watch?.answer();
    this.status = status;
    this.headers = new LightHeaders(headers);
    try {
      this.#decoders = decodersOf(headers["content-encoding"]);
      this.respond(this);
    } catch (error) {
      this.#stop(error);
    }
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    // Not paused, because a paused body that then ends makes undici 7 throw where nobody can catch it.
    this.#chunks.push(chunk);
    this.#unread += chunk.byteLength + CHUNK_BYTES;
    if (this.#unread > MAX_UNREAD)
      this.#stop(new Error("more than 16 MiB of the response wait to be read: it was aborted"));
    else this.#wake();
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.watch?.fail(error);
    this.#end({ error });
  }

  /** The signal was aborted. */
  handleEvent(): void {
    this.#stop(abortReason(this.signal));
  }

  #stop(reason: unknown): void {
    this.#chunks.length = 0;
    this.#end({ error: reason });
    this.#controller?.abort(reason as Error);
  }

  #end(failure?: { readonly error: unknown }): void {
    // A stopped request ends a second time when undici has aborted it.
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    if (failure) this.reject(failure.error);
    this.#wake();
    this.signal?.removeEventListener("abort", this);
  }
}

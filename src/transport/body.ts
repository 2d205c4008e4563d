import { type ApiResponse, isSuccess } from "./api.ts";
import type { BodyText, Reply } from "./reply.ts";
import { type Scope, sleep } from "./scope.ts";

const EMPTY: BodyText = { text: "", isTruncated: false, isMalformed: false };
const NO_HEADERS = { get: () => undefined };

/** Created for the first body, so that the client can be imported in an environment without TextDecoder. */
let strict: TextDecoder | undefined;
let lenient: TextDecoder | undefined;

/** A response whose headers have arrived. Its body is read when openapi-fetch calls `text`. */
export class IncomingReply implements ApiResponse {
  readonly status: number;
  /** Set once the body has been read. */
  body: BodyText | undefined;
  readonly #response: Response;
  readonly #maxBytes: number;
  readonly #scope: Scope;

  constructor(response: Response, maxBytes: number, scope: Scope) {
    // In an application's tests, `fetch` may resolve to anything.
    const status = (response as Partial<Response> | null | undefined)?.status;
    if (typeof status !== "number") throw noResponseError();
    this.status = status;
    this.#response = response;
    this.#maxBytes = maxBytes;
    this.#scope = scope;
  }

  get ok(): boolean {
    return isSuccess(this.status);
  }

  /** Openapi-fetch reads only Content-Length, and calls `text` if it is absent. */
  get headers(): ApiResponse["headers"] {
    return NO_HEADERS;
  }

  /** Reads at most `maxBytes` of the body. A byte order mark is dropped, as in `Response.text()`. */
  text(): Promise<string> {
    const { body } = this.#response;
    const reader = body ? readerOf(body) : undefined;
    if (this.#scope.signal.aborted) {
      // The response arrived after the end of the call; unread, it would hold its connection.
      cancel(reader);
      throw this.#scope.signal.reason;
    }
    if (reader) return this.#readChunks(reader);
    return body === null ? Promise.resolve("") : this.#readDouble();
  }

  /** The complete response. Openapi-fetch does not read the text of a 204. */
  whole(): Reply {
    return { status: this.status, body: this.body ?? EMPTY, response: this.#response };
  }

  async #readChunks(reader: ChunkReader): Promise<string> {
    // A variable first: V8 allocates a function literal in its old generation if it is assigned directly to a property.
    // There it would keep the stream in memory until the next full garbage collection.
    const onStop = () => cancel(reader);
    this.#scope.onStop = onStop;
    let bytes: Uint8Array = NO_BYTES;
    let size = 0;
    while (size <= this.#maxBytes) {
      const { value } = await reader.read();
      if (!value) break;
      bytes = append(bytes, size, value);
      size += value.byteLength;
      // A stream that never waits holds up the deadline's timer: lets it run. If the clock has jumped, the timer is not due.
      if (this.#scope.remainingMs() <= 0) await sleep(0, this.#scope);
    }
    const isTruncated = size > this.#maxBytes;
    if (isTruncated) cancel(reader);
    const end = isTruncated ? this.#maxBytes : size;
    return this.#decode(bytes.byteLength === end ? bytes : bytes.subarray(0, end), isTruncated);
  }

  /** Reads a plain object that an application's tests use as a Response: a status, headers, and `text()`. */
  #readDouble(): Promise<string> {
    if (typeof this.#response.text !== "function") throw noResponseError();
    return Promise.resolve(this.#response.text()).then((text) =>
      this.#end({ text: text.slice(0, this.#maxBytes), isTruncated: text.length > this.#maxBytes, isMalformed: false }),
    );
  }

  #decode(bytes: Uint8Array, isTruncated: boolean): string {
    strict ??= new TextDecoder("utf-8", { fatal: true });
    lenient ??= new TextDecoder();
    let text: string;
    let isMalformed = false;
    try {
      text = strict.decode(bytes);
    } catch {
      // A cut may be within a character.
      text = lenient.decode(bytes);
      isMalformed = true;
    }
    return this.#end({ text, isTruncated, isMalformed });
  }

  #end(body: BodyText): string {
    this.body = body;
    return body.text;
  }
}

function noResponseError(): TypeError {
  return new TypeError("fetch must resolve to a Response, with a status and a body or text()");
}

/** Reads a body chunk by chunk. */
interface ChunkReader {
  /** Resolves to a chunk; at the end of the body, `value` is undefined. */
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(): unknown;
}

/** The body of a node-fetch response: a Node stream. */
interface NodeBody extends Partial<AsyncIterable<Uint8Array>> {
  destroy(): unknown;
}

/** Bodies are read in chunks even if Content-Length is small, because `Response.text()` costs more. */
function readerOf(body: ReadableStream<Uint8Array>): ChunkReader | undefined {
  if (body.getReader) return body.getReader();
  const stream = body as unknown as NodeBody;
  const chunks = stream[Symbol.asyncIterator]?.();
  return chunks && { read: () => chunks.next(), cancel: () => stream.destroy() };
}

/** Cancels a body, ignoring errors. Never awaited, because under MSW 2 `cancel` does not settle. */
async function cancel(reader: ChunkReader | undefined): Promise<void> {
  try {
    // Lets an abort end the body first. Node 20 and 22 otherwise leave a rejection unhandled if it is a clone's.
    await null;
    await reader?.cancel();
  } catch {
    // The body is discarded in any case.
  }
}

const NO_BYTES = /* @__PURE__ */ new Uint8Array();

/** Adds a chunk after the first `size` bytes. A list of 1-byte chunks would take 150 times as much memory. */
function append(bytes: Uint8Array, size: number, chunk: Uint8Array): Uint8Array {
  if (size === 0) return chunk;
  const end = size + chunk.byteLength;
  let grown: Uint8Array = bytes;
  if (end > bytes.byteLength) {
    grown = new Uint8Array(2 * end);
    grown.set(bytes);
  }
  grown.set(chunk, size);
  return grown;
}

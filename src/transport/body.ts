import { type ApiResponse, isSuccess } from "./api.ts";
import type { BodyText, Reply } from "./result.ts";
import type { Scope } from "./scope.ts";

const EMPTY: BodyText = { text: "", isTruncated: false, isMalformed: false };
const NO_HEADERS = { get: () => null };

/** Made for the first body: importing the client must not fail in an environment that has no TextDecoder. */
let strict: TextDecoder | undefined;
let lenient: TextDecoder | undefined;

/** A reply whose headers have arrived. Its body is read when openapi-fetch asks for the text. */
export class IncomingReply implements ApiResponse {
  readonly status: number;
  /** Once it has been read. */
  body: BodyText | undefined;
  readonly #response: Response;
  readonly #maxBytes: number;
  readonly #scope: Scope;

  constructor(response: Response, maxBytes: number, scope: Scope) {
    this.status = response.status;
    this.#response = response;
    this.#maxBytes = maxBytes;
    this.#scope = scope;
  }

  get ok(): boolean {
    return isSuccess(this.status);
  }

  /** Openapi-fetch looks for the length of the body alone, and asks for the text if there is none. */
  get headers(): ApiResponse["headers"] {
    return NO_HEADERS;
  }

  /** Reads at most `maxBytes` of the body. A byte order mark is dropped, as fetch's own `text()` does. */
  text(): Promise<string> {
    const { body } = this.#response;
    if (this.#scope.signal.aborted) {
      // The reply comes after the end of the call; unread, it would hold its connection.
      cancel(body);
      throw this.#scope.signal.reason;
    }
    const reader = body ? readerOf(body) : undefined;
    if (reader) return this.#readChunks(reader);
    return body === null ? Promise.resolve("") : this.#readDouble();
  }

  /** The whole reply. Openapi-fetch does not ask for the text of a 204. */
  whole(): Reply {
    const { headers } = this.#response;
    return {
      status: this.status,
      // An application's test may hand in a plain object of headers, or none.
      headers: headers instanceof Headers ? headers : new Headers(headers),
      body: this.body ?? EMPTY,
    };
  }

  async #readChunks(reader: ChunkReader): Promise<string> {
    // Named first: V8 puts a function that is written where a property is assigned into its old generation, and there it
    // would keep the stream of each reply until the next full collection.
    const onStop = () => cancel(reader);
    this.#scope.onStop = onStop;
    const chunks: Uint8Array[] = [];
    let size = 0;
    while (size <= this.#maxBytes) {
      const { done, value } = await reader.read();
      if (done || !value) return this.#decode(concatenate(chunks, size));
      chunks.push(value);
      size += value.byteLength;
    }
    cancel(reader);
    return this.#decode(concatenate(chunks, size));
  }

  /** The plain object that an application's test hands in for a Response: a status, headers, and `text()`. */
  #readDouble(): Promise<string> {
    return Promise.resolve(this.#response.text()).then((text) =>
      this.#end({ text: text.slice(0, this.#maxBytes), isTruncated: text.length > this.#maxBytes, isMalformed: false }),
    );
  }

  #decode(bytes: Uint8Array): string {
    const isTruncated = bytes.byteLength > this.#maxBytes;
    strict ??= new TextDecoder("utf-8", { fatal: true });
    lenient ??= new TextDecoder();
    if (isTruncated) {
      const text = lenient.decode(bytes.subarray(0, this.#maxBytes));
      return this.#end({ text, isTruncated, isMalformed: false });
    }
    try {
      return this.#end({ text: strict.decode(bytes), isTruncated, isMalformed: false });
    } catch {
      return this.#end({ text: lenient.decode(bytes), isTruncated, isMalformed: true });
    }
  }

  /** Gives the text to parse: nothing of a truncated one. */
  #end(body: BodyText): string {
    this.body = body;
    return body.isTruncated ? "" : body.text;
  }
}

/** What gives a body chunk by chunk. */
interface ChunkReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  cancel(): unknown;
}

/** The body of node-fetch and of those that are built on it: a stream of Node. */
interface NodeBody extends Partial<AsyncIterable<Uint8Array>> {
  destroy?(): unknown;
}

/** Chunk by chunk even where Content-Length is small: it costs less than the `text()` of a Response. */
function readerOf(body: ReadableStream<Uint8Array>): ChunkReader | undefined {
  if (body.getReader) return body.getReader();
  const stream = body as NodeBody;
  const chunks = stream[Symbol.asyncIterator]?.();
  return chunks && { read: () => chunks.next(), cancel: () => stream.destroy?.() };
}

/** Not awaited by anyone: under MSW 2 a cancel does not settle. What it throws is of no account. */
async function cancel(body: { cancel?(): unknown } | null | undefined): Promise<void> {
  try {
    await body?.cancel?.();
  } catch {
    // The body is given up, whatever becomes of it.
  }
}

function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

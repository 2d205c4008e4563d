import type { Scope } from "./scope.ts";

const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });
const lenient = /* @__PURE__ */ new TextDecoder();

/** A reply's body as text. */
export class Body {
  text = "";
  /** There was more than the limit: `text` is its beginning. */
  isTruncated = false;
  /** Some bytes were no UTF-8, and stand in `text` as U+FFFD. */
  isMalformed = false;
  isRead = false;

  /**
   * Reads at most `maxBytes` of a reply's body. A byte order mark is dropped, as fetch's own `text()` does.
   *
   * @returns The text to parse: nothing of a truncated one.
   */
  read(response: Response, maxBytes: number, scope: Scope): Promise<string> {
    const { body } = response;
    if (scope.signal.aborted) {
      // The reply comes after the end of the call; unread, it would hold its connection.
      cancel(body);
      throw scope.signal.reason;
    }
    const reader = body ? readerOf(body) : undefined;
    if (reader) return this.#readChunks(reader, maxBytes, scope);
    return body === null ? Promise.resolve(this.#end("")) : this.#readDouble(response, maxBytes);
  }

  async #readChunks(reader: ChunkReader, maxBytes: number, scope: Scope): Promise<string> {
    // Named first: V8 puts a function that is written where a property is assigned into its old generation, and there it
    // would keep the stream of each reply until the next full collection.
    const onStop = () => cancel(reader);
    scope.onStop = onStop;
    const chunks: Uint8Array[] = [];
    let size = 0;
    while (size <= maxBytes) {
      const { done, value } = await reader.read();
      if (done || !value) return this.#decode(concatenate(chunks, size), maxBytes);
      chunks.push(value);
      size += value.byteLength;
    }
    cancel(reader);
    return this.#decode(concatenate(chunks, size), maxBytes);
  }

  /** The plain object that an application's test hands in for a Response: a status, headers, and `text()`. */
  #readDouble(response: Response, maxBytes: number): Promise<string> {
    return Promise.resolve(response.text()).then((text) =>
      this.#end(text.slice(0, maxBytes), text.length > maxBytes),
    );
  }

  #decode(bytes: Uint8Array, maxBytes: number): string {
    if (bytes.byteLength > maxBytes) return this.#end(lenient.decode(bytes.subarray(0, maxBytes)), true);
    try {
      return this.#end(strict.decode(bytes));
    } catch {
      this.isMalformed = true;
      return this.#end(lenient.decode(bytes));
    }
  }

  #end(text: string, isTruncated = false): string {
    this.text = text;
    this.isTruncated = isTruncated;
    this.isRead = true;
    return isTruncated ? "" : text;
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

import type { Scope } from "./scope.ts";

/** A reply's body as text. */
export interface BodyText {
  readonly text: string;
  /** There was more than the limit: `text` is its beginning. */
  readonly isTruncated: boolean;
  /** Some bytes were no UTF-8, and stand in `text` as U+FFFD. */
  readonly isMalformed: boolean;
}

const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });
const lenient = /* @__PURE__ */ new TextDecoder();

/** Reads a reply's body, at most `maxBytes` of it. A byte order mark is dropped, as fetch's own `text()` does. */
export async function readBody(response: Response, maxBytes: number, scope: Scope): Promise<BodyText> {
  const { body } = response;
  if (scope.signal.aborted) {
    // The reply comes after the end of the call; unread, it would hold its connection.
    cancel(body);
    throw scope.signal.reason;
  }
  if (body === null) return { text: "", isTruncated: false, isMalformed: false };
  const reader = readerOf(body);
  if (!reader) return readDouble(response, maxBytes);
  // Named first: V8 puts a function that is written where a property is assigned into its old generation, and there it
  // would keep the stream of each reply until the next full collection.
  const onStop = () => cancel(reader);
  scope.onStop = onStop;
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= maxBytes) {
    const { done, value } = await reader.read();
    if (done || !value) return decode(concatenate(chunks, size), maxBytes);
    chunks.push(value);
    size += value.byteLength;
  }
  cancel(reader);
  return decode(concatenate(chunks, size), maxBytes);
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
function readerOf(body: ReadableStream<Uint8Array> | undefined): ChunkReader | undefined {
  if (body?.getReader) return body.getReader();
  const stream = body as NodeBody | undefined;
  const chunks = stream?.[Symbol.asyncIterator]?.();
  return chunks && { read: () => chunks.next(), cancel: () => stream?.destroy?.() };
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

function decode(bytes: Uint8Array, maxBytes: number): BodyText {
  const isTruncated = bytes.byteLength > maxBytes;
  try {
    if (!isTruncated) return { text: strict.decode(bytes), isTruncated, isMalformed: false };
  } catch {
    return { text: lenient.decode(bytes), isTruncated, isMalformed: true };
  }
  return { text: lenient.decode(bytes.subarray(0, maxBytes)), isTruncated, isMalformed: false };
}

/** The plain object that an application's test hands in for a Response: a status, headers, and `text()`. */
async function readDouble(response: Response, maxBytes: number): Promise<BodyText> {
  const text = await response.text();
  return { text: text.slice(0, maxBytes), isTruncated: text.length > maxBytes, isMalformed: false };
}

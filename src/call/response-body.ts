import type { Deadline } from "./deadline.ts";
import { runHeld } from "./foreign-code.ts";

/** A response and its body. */
export interface Reply {
  /** As `fetch` resolved to it. */
  readonly response: Response;
  /** Its body. */
  readonly text: string;
  /** The body exceeds the limit, or broke off, and `text` is its beginning. */
  readonly isTruncated: boolean;
  /** Some bytes are not UTF-8, and are replaced by U+FFFD in `text`. */
  readonly isMalformed: boolean;
  /** The body broke off. */
  readonly isCut?: true;
}

/** Reads a body chunk by chunk. */
export interface ChunkReader {
  /** Resolves to a chunk; at the end of the body, `value` is undefined. */
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(): unknown;
}

/**
 * The reader of a body, if it is a stream that can be decoded. Bodies are read in chunks even if Content-Length is small,
 * because `Response.text()` costs more.
 */
export function readerOf({ body, text }: Response): ChunkReader | undefined {
  if (!body || (typeof TextDecoder !== "function" && typeof text === "function")) return undefined;
  if (body.getReader) return body.getReader();
  // The body of a node-fetch response is a Node stream.
  const stream = body as unknown as Partial<AsyncIterable<Uint8Array>> & { destroy(): unknown };
  const chunks = stream[Symbol.asyncIterator]?.();
  return chunks && { read: () => chunks.next(), cancel: () => stream.destroy() };
}

/** Where the reader of a body is kept, and the response when its body has been read or broke off. */
interface Received {
  reader: ChunkReader | undefined;
  reply: Reply | undefined;
}

/**
 * Reads at most `maxBytes` of a body, and returns it. A byte order mark is dropped, as in `Response.text()`.
 *
 * @throws The reason why the call was stopped, and what reading the body throws.
 */
export function readBody(
  response: Response,
  received: Received,
  maxBytes: number,
  deadline: Deadline,
): Promise<string> {
  const reader = readerOf(response);
  received.reader = reader;
  // The response arrived after the end of the call; unread, it would hold its connection.
  if (deadline.signal.aborted) cancel(reader);
  deadline.throwIfStopped();
  return reader ? readChunks(response, received, reader, maxBytes, deadline) : readWhole(response, received, maxBytes);
}

/**
 * Without a stream, such as a plain object in an application's tests; or without a TextDecoder. The text is in memory
 * already, so its characters are counted, not its bytes.
 */
async function readWhole(response: Response, received: Received, maxLength: number): Promise<string> {
  if (response.body !== null && typeof response.text !== "function") throw noResponseError();
  const whole = response.body === null ? "" : await response.text();
  const text = whole.slice(0, maxLength);
  received.reply = { response, text, isTruncated: text.length < whole.length, isMalformed: false };
  return text;
}

/** From so many chunks on, the deadline is looked at, whose timer a stream that never waits holds up. */
const MANY_CHUNKS = 100;

async function readChunks(
  response: Response,
  received: Received,
  reader: ChunkReader,
  maxBytes: number,
  deadline: Deadline,
): Promise<string> {
  const { clock, signal } = deadline;
  let bytes: Uint8Array = NO_BYTES;
  let size = 0;
  let chunks = 0;
  try {
    while (size <= maxBytes) {
      const { value } = await runHeld(clock, "a response body", () => reader.read(), signal);
      if (!value) break;
      bytes = append(bytes, size, value);
      size += value.byteLength;
      if (++chunks > MANY_CHUNKS && deadline.isOver) await deadline.end();
    }
  } catch (error) {
    received.reply = { ...decode(response, bytes.subarray(0, size), true), isCut: true };
    throw error;
  }
  const isTruncated = size > maxBytes;
  if (isTruncated) cancel(reader);
  const end = isTruncated ? maxBytes : size;
  received.reply = decode(response, bytes.byteLength === end ? bytes : bytes.subarray(0, end), isTruncated);
  return received.reply.text;
}

/** Of a `fetch` that resolves to anything else, as in an application's tests. */
export function noResponseError(): TypeError {
  return new TypeError("fetch must resolve to a Response, with a status and a body or text()");
}

/** Cancels a body, ignoring errors. Never awaited, because under MSW 2 `cancel` does not settle. */
export async function cancel(reader: ChunkReader | undefined): Promise<void> {
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

/** Created for the first body, so that the client can be imported in an environment without TextDecoder. */
let strict: TextDecoder | undefined;
let lenient: TextDecoder | undefined;

function decode(response: Response, bytes: Uint8Array, isTruncated: boolean): Reply {
  strict ??= new TextDecoder("utf-8", { fatal: true });
  lenient ??= new TextDecoder();
  try {
    return { response, text: strict.decode(bytes), isTruncated, isMalformed: false };
  } catch {
    // A cut may be within a character.
    return { response, text: lenient.decode(bytes), isTruncated, isMalformed: true };
  }
}

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { RequestHeaders } from "../service/request.ts";

/**
 * Reads a request body until it ends or exceeds `maxBytes`.
 *
 * @param done - Called once, unless the request is interrupted: with a string if the body is valid UTF-8, with bytes if
 *   it is not, or with more than `maxBytes` bytes if it is too large.
 */
export function receiveBody(request: IncomingMessage, maxBytes: number, done: (body: string | Buffer) => void): void {
  let blocks = NONE;
  let chunks = NONE;
  let isDone = false;
  let received = 0;
  /** Joins the chunks, and forgets them: an idle connection keeps its latest request. */
  const takeBytes = () => {
    const bytes = join(blocks, chunks);
    blocks = NONE;
    chunks = NONE;
    isDone = true;
    return bytes;
  };
  request.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (isDone) {
      if (received > maxBytes + DISCARDED_BYTES) request.socket.destroy();
      return;
    }
    chunks = append(chunks, chunk);
    if (received > maxBytes) {
      done(takeBytes());
    } else if (chunks.length === CHUNKS_IN_BLOCK) {
      blocks = append(blocks, Buffer.concat(chunks));
      chunks = NONE;
    }
  });
  request.on("end", () => {
    if (isDone) return;
    const bytes = takeBytes();
    done(isUtf8(bytes) ? bytes.toString() : bytes);
  });
}

/**
 * How much of an oversized body is read and discarded. If the server closed the connection while the client is still
 * sending, the reset could discard the response before the client reads it.
 */
const DISCARDED_BYTES = 16 * 2 ** 20;

/** A chunk takes about 200 bytes of memory besides its own: a million chunks of one byte would take 200 MB. */
const CHUNKS_IN_BLOCK = 1000;

const NONE: Buffer[] = [];

/** Most bodies are one chunk, for which `[chunk]` takes less memory than an array that grows. */
function append(list: Buffer[], bytes: Buffer): Buffer[] {
  if (list === NONE) return [bytes];
  list.push(bytes);
  return list;
}

function join(blocks: readonly Buffer[], chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  if (only && chunks.length === 1 && blocks.length === 0) return only;
  return Buffer.concat([...blocks, ...chunks]);
}

/**
 * Creates the header reader of a server. Consecutive requests with equal headers share one object, because the lists take
 * more time and memory than the comparison.
 */
export function headersReader(): (request: IncomingMessage) => RequestHeaders {
  let raw: readonly string[] = [];
  let headers = distinct({});
  return (request) => {
    const { rawHeaders } = request;
    const isEqual = rawHeaders.length === raw.length && rawHeaders.every((text, i) => text === raw[i]);
    if (!isEqual) {
      raw = rawHeaders;
      headers = distinct(request.headersDistinct);
    }
    return headers;
  };
}

/** Node's own lists of headers: `IncomingMessage.headers` keeps only the first of several Authorization headers. */
function distinct(lists: NodeJS.Dict<string[]>): RequestHeaders {
  const get = (name: string) => lists[name]?.join(", ");
  return {
    get,
    *[Symbol.iterator]() {
      for (const name of Object.keys(lists)) yield [name, get(name) as string];
    },
  };
}

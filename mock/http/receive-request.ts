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
  let bytes: Buffer = EMPTY;
  let received = 0;
  let isDone = false;
  /** Returns what has arrived, and forgets it: an idle connection keeps its latest request. */
  const take = () => {
    const taken = bytes.subarray(0, received);
    bytes = EMPTY;
    isDone = true;
    return taken;
  };
  request.on("data", (chunk: Buffer) => {
    if (!isDone) bytes = append(bytes, received, chunk);
    received += chunk.length;
    if (received <= maxBytes) return;
    if (!isDone) done(take());
    else if (received > maxBytes + DISCARDED_BYTES) request.socket.destroy();
  });
  request.on("end", () => {
    if (isDone) return;
    const body = take();
    done(isUtf8(body) ? body.toString() : body);
  });
}

/**
 * How much of an oversized body is read and discarded. If the server closed the connection while the client is still
 * sending, the reset could discard the response before the client reads it.
 */
const DISCARDED_BYTES = 16 * 2 ** 20;

const EMPTY = Buffer.alloc(0);

/** Appends a chunk to the first `length` bytes of a buffer, which doubles if it is full. Most bodies are one chunk. */
function append(buffer: Buffer, length: number, chunk: Buffer): Buffer {
  if (length === 0) return chunk;
  const needed = length + chunk.length;
  const target = needed <= buffer.length ? buffer : Buffer.allocUnsafe(2 * needed);
  if (target !== buffer) buffer.copy(target, 0, 0, length);
  chunk.copy(target, length);
  return target;
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

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

/**
 * Reads a request body until it ends or exceeds `maxBytes`.
 *
 * @param done - Called once, unless the request is interrupted: with a string if the body is valid UTF-8, with bytes if
 *   it is not, or with more than `maxBytes` bytes if it is too large.
 */
export function receiveBody(request: IncomingMessage, maxBytes: number, done: (body: string | Buffer) => void): void {
  let chunks = NONE;
  let isDone = false;
  let received = 0;
  /** Joins the chunks, and forgets them: an idle connection keeps its latest request. */
  const takeBytes = () => {
    const [only] = chunks;
    const bytes = only && chunks.length === 1 ? only : Buffer.concat(chunks);
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
    // Most bodies are one chunk, for which `[chunk]` takes less memory than an array that grows.
    if (chunks === NONE) chunks = [chunk];
    else chunks.push(chunk);
    if (received > maxBytes) done(takeBytes());
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

const NONE: Buffer[] = [];

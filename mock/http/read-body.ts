import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

/**
 * Reads a request body until it ends or exceeds `maxBytes`.
 *
 * @param done - Called once, unless the request is interrupted: with a string if the body is valid UTF-8, with bytes if
 *   it is not, or with more than `maxBytes` bytes if it is too large.
 */
export function readBody(request: IncomingMessage, maxBytes: number, done: (body: string | Buffer) => void): void {
  const blocks: Buffer[] = [];
  let chunks: Buffer[] = [];
  const join = () => (received === chunks[0]?.length ? chunks[0] : Buffer.concat([...blocks, ...chunks]));
  let isDone = false;
  let received = 0;
  request.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (isDone) {
      if (received > maxBytes + DISCARDED_BYTES) request.socket.destroy();
      return;
    }
    chunks.push(chunk);
    if (received > maxBytes) {
      isDone = true;
      done(join());
    } else if (chunks.length === CHUNKS_IN_BLOCK) {
      blocks.push(Buffer.concat(chunks));
      chunks = [];
    }
  });
  request.on("end", () => {
    if (isDone) return;
    const bytes = join();
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

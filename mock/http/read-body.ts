import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

/**
 * Reads a request body until it ends or exceeds `maxBytes`.
 *
 * @param done - Called once, unless the request is interrupted: with a string if the body is valid UTF-8, with bytes if
 *   it is not, or with more than `maxBytes` bytes if it is too large.
 */
export function readBody(request: IncomingMessage, maxBytes: number, done: (body: string | Buffer) => void): void {
  const body = new Body();
  let isDone = false;
  let received = 0;
  request.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (!isDone) {
      body.append(chunk);
      if (received <= maxBytes) return;
      isDone = true;
      done(body.bytes);
    } else if (received > maxBytes + DISCARDED_BYTES) request.socket.destroy();
  });
  request.on("end", () => {
    if (isDone) return;
    const { bytes } = body;
    done(isUtf8(bytes) ? bytes.toString() : bytes);
  });
}

/**
 * How much of an oversized body is read and discarded. If the server closed the connection while the client is still
 * sending, the reset could discard the response before the client reads it.
 */
const DISCARDED_BYTES = 16 * 2 ** 20;

const EMPTY = Buffer.alloc(0);

/** Joins chunks. A single chunk is not copied; many small ones share one buffer. */
class Body {
  #buffer: Buffer = EMPTY;
  #length = 0;

  append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) this.#buffer = chunk;
    else {
      if (length > this.#buffer.length) this.#grow(length);
      chunk.copy(this.#buffer, this.#length);
    }
    this.#length = length;
  }

  get bytes(): Buffer {
    return this.#buffer.length === this.#length ? this.#buffer : this.#buffer.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(length * 2);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

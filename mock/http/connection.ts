import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerClientError } from "./client-errors.ts";

/** A client's connection, with its open requests. */
export class Connection {
  readonly socket: Socket;
  readonly #open = new Set<ServerResponse>();
  readonly #hanging = new WeakSet<ServerResponse>();
  #latest: ServerResponse | undefined;
  #error: NodeJS.ErrnoException | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** Whether it has carried a request. */
  get hasServed(): boolean {
    return this.#latest !== undefined;
  }

  /** Tracks a request until its response is sent, or the connection is closed. */
  open(response: ServerResponse): void {
    this.#open.add(response);
    this.#latest = response;
    response.on("close", () => {
      this.#open.delete(response);
      this.#endIfRefused();
    });
  }

  /** Marks a request that never gets a complete response by itself. */
  markHanging(response: ServerResponse): void {
    this.#hanging.add(response);
    this.#endIfRefused();
  }

  /** Responds to unreadable input, after the responses to earlier, processed requests, and closes the connection. */
  refuse(error: NodeJS.ErrnoException): void {
    this.#error ??= error;
    this.#endIfRefused();
  }

  #endIfRefused(): void {
    if (this.#error === undefined || this.socket.destroyed) return;
    const processed = [...this.#open].filter(({ req }) => req.complete);
    if (processed.some((response) => this.#hanging.has(response))) this.socket.resetAndDestroy();
    else if (processed.length > 0) return;
    else if (this.#latest?.headersSent && !this.#latest.req.complete) this.socket.destroySoon();
    else answerClientError(this.#error, this.socket);
  }
}

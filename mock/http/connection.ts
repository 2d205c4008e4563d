import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerClientError } from "./client-errors.ts";

/** A client's connection, with the exchanges on it that are not over. */
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

  /** Whether it ever brought a request. */
  get hasServed(): boolean {
    return this.#latest !== undefined;
  }

  /** Counts an exchange until its reply is sent, or the connection has closed. */
  open(response: ServerResponse): void {
    this.#open.add(response);
    this.#latest = response;
    response.on("close", () => {
      this.#open.delete(response);
      this.#endIfRefused();
    });
  }

  /** Marks an exchange whose reply never comes by itself. */
  markHanging(response: ServerResponse): void {
    this.#hanging.add(response);
    this.#endIfRefused();
  }

  /** Answers what could not be read, and closes; requests before it were processed, and get their replies first. */
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

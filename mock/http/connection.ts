import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RequestSession } from "../service/adapter.ts";
import { NETWORK_ERROR } from "../service/delivery.ts";
import { answerClientError } from "./client-errors.ts";
import { deliver } from "./deliver.ts";

/** A client's connection and its open requests: those whose response has not ended. */
export class Connection {
  readonly socket: Socket;
  /** The open responses before the latest: there are some only if the client pipelines requests. */
  readonly #earlier = new Set<ServerResponse>();
  #latest: ServerResponse | undefined;
  /** The session of the latest request: only the body of that one can be incomplete. */
  #session: RequestSession | undefined;
  #hasServed = false;
  readonly #hanging = new WeakSet<ServerResponse>();
  #error: NodeJS.ErrnoException | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  get isIdle(): boolean {
    return this.#open.length === 0;
  }

  /** Whether the connection has ever carried a request. */
  get hasServed(): boolean {
    return this.#hasServed;
  }

  /** Tracks a request until its response is sent or the connection is closed. */
  open(response: ServerResponse): void {
    const previous = this.#latest;
    this.#latest = response;
    this.#hasServed = true;
    // Listening to every response would cost a twentieth of the throughput.
    if (previous === undefined || previous.closed) return;
    // A response that closed the connection would cut off those after it.
    previous.shouldKeepAlive = true;
    this.#earlier.add(previous);
    previous.on("close", () => this.#earlier.delete(previous));
  }

  /** Notes the session of the latest request. */
  begin(session: RequestSession): void {
    this.#session = session;
  }

  /** Breaks off a request of this session whose body has not arrived: a reset has ended the session. */
  endSession(session: RequestSession): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    const latest = this.#latest;
    if (latest !== undefined && !latest.req.complete && !latest.headersSent) deliver(NETWORK_ERROR, latest);
  }

  /** Releases the latest response if it is over, so that an idle connection does not keep it in memory. */
  release(): void {
    if (this.#latest?.closed && this.#latest.req.complete) this.#latest = undefined;
  }

  /** Makes the last response close the connection, if it has not begun. */
  closeAfterResponses(): void {
    if (this.#latest !== undefined) this.#latest.shouldKeepAlive = false;
  }

  /** Closes the open responses of a closed connection: Node itself closes only the one whose turn it is. */
  end(): void {
    for (const response of this.#open) response.emit("close");
  }

  /** Marks a request that a fault leaves without a complete response. */
  markHanging(response: ServerResponse): void {
    this.#hanging.add(response);
    this.#endIfRefused();
  }

  /** Rejects input that cannot be parsed: responds to it after all earlier requests, and closes the connection. */
  refuse(error: NodeJS.ErrnoException): void {
    this.#error ??= error;
    for (const response of this.#open) response.on("close", () => this.#endIfRefused());
    this.#endIfRefused();
  }

  get #open(): ServerResponse[] {
    const latest = this.#latest;
    return latest === undefined || latest.closed ? [...this.#earlier] : [...this.#earlier, latest];
  }

  #endIfRefused(): void {
    if (this.#error === undefined || this.socket.destroyed) return;
    const [next] = this.#open.filter(({ req }) => req.complete);
    if (next !== undefined) {
      // Its response, and those behind it, would never come.
      if (this.#hanging.has(next)) this.socket.resetAndDestroy();
    } else {
      // The unparsable request may already have a response, e.g. because its body was too large.
      if (this.#latest?.headersSent && !this.#latest.req.complete) this.socket.destroySoon();
      else answerClientError(this.#error, this.socket);
    }
  }
}

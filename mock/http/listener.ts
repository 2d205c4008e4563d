import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SessionState } from "../service/sessions/session-state.ts";
import { answerClientError } from "./client-errors.ts";
import type { ResolvedHttpOptions } from "./http-options.ts";
import { type Address, explainListenError } from "./listen-error.ts";
import { createServer } from "./node-http.ts";

/** The runtime's own: a mock has to close even if a test has replaced the timers and does not advance the time. */
const realTimers = { setTimeout, clearTimeout, setInterval, clearInterval };

/** A node:http server with limits, which rejects pipelined requests and can shut down gracefully. */
export class Listener {
  readonly #server: Server;
  readonly #latest = new Map<Duplex, LatestRequest>();
  /** The sessions whose end this listener will notice: a callback for every request would take memory. */
  readonly #watched = new WeakSet<SessionState>();
  #closed: Promise<void> | undefined;

  constructor(
    { maxConnections, maxHeaderBytes, requestTimeoutMs }: ResolvedHttpOptions["limits"],
    onRequest: (request: IncomingMessage, response: ServerResponse) => void,
  ) {
    const server = createServer({
      maxHeaderSize: maxHeaderBytes,
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.ceil(requestTimeoutMs / 2),
      connectionsCheckingInterval: Math.min(1000, Math.ceil(requestTimeoutMs / 4)),
      // Long, so that clients close idle connections first: if the server did, a request on its way would fail.
      keepAliveTimeout: 65_000,
    });
    server.maxConnections = maxConnections;
    // Node drops a connection above the limit: at the limit, the idle ones make room for the next.
    server.on("connection", (socket) => {
      server.getConnections((_error, count) => {
        if (count >= maxConnections) server.closeIdleConnections();
      });
      this.#latest.set(socket, {});
      socket.on("close", () => this.#latest.delete(socket));
    });
    server.on("request", (request, response) => {
      const earlier = this.#openResponse(request.socket);
      // A client that sends requests without waiting for responses could fill the memory.
      if (earlier !== undefined) return closeAfter(earlier);
      this.#latestOf(response).response = response;
      this.#latestOf(response).session = undefined;
      if (this.#closed) response.shouldKeepAlive = false;
      onRequest(request, response);
    });
    server.on("clientError", (error, socket) => this.#refuse(error, socket as Socket));
    this.#server = server;
  }

  /** Notes the session of a request, so that a reset ends it, even while its body is being read. */
  begin(session: SessionState, response: ServerResponse): void {
    this.#latestOf(response).session = session;
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    session.onEnd(() => {
      for (const [socket, latest] of this.#latest) {
        if (latest.session === session && !latest.response?.writableEnded) (socket as Socket).resetAndDestroy();
      }
    });
  }

  /**
   * Starts listening.
   *
   * @returns The port.
   * @throws Error that explains why it cannot listen there, and what to do.
   */
  listen({ host, port }: Address): Promise<number> {
    const listening = new Promise<number>((resolve, reject) => {
      // Stays registered: a later error (such as running out of file descriptors) must not end the process.
      this.#server.on("error", reject);
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port));
    });
    return listening.catch((error) => {
      throw explainListenError(error, { host, port });
    });
  }

  /** Stops listening, closes connections as they become idle, and resolves when all are closed. */
  drain(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      const sweep = realTimers.setInterval(() => this.#server.closeIdleConnections(), SWEEP_MS);
      this.#server.close(() => {
        realTimers.clearInterval(sweep);
        resolve();
      });
    });
    return this.#closed;
  }

  /** Closes idle connections at once, and the others when their requests are over, but after 250 ms at the latest. */
  async close(): Promise<void> {
    const closed = this.drain();
    // A client that never sends the rest of its request must not keep the server open.
    const timer = realTimers.setTimeout(() => this.#server.closeAllConnections(), CLOSE_MS);
    await closed;
    realTimers.clearTimeout(timer);
  }

  #latestOf(response: ServerResponse): LatestRequest {
    return this.#latest.get(response.req.socket) as LatestRequest;
  }

  /** The latest response of a connection, unless it is over. */
  #openResponse(socket: Duplex): ServerResponse | undefined {
    const response = this.#latest.get(socket)?.response;
    return response?.writableEnded ? undefined : response;
  }

  /** Rejects input that cannot be parsed. The response to a request before it is completed first. */
  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const open = this.#openResponse(socket);
    if (open?.req.complete && !socket.readableEnded) closeAfter(open);
    // Otherwise it is the open request itself, which may already have a response, e.g. because its body was too large.
    else if (open?.req.complete || open?.headersSent || !socket.writable) socket.destroySoon();
    else answerClientError(error, socket);
  }
}

/** The latest request of a connection: its response, and its session unless it is a control call. */
interface LatestRequest {
  response?: ServerResponse;
  session?: SessionState | undefined;
}

/** Makes a response the last one of its connection. */
function closeAfter(response: ServerResponse): void {
  if (!response.shouldKeepAlive) return;
  response.shouldKeepAlive = false;
  // Too late for the header `Connection: close`.
  if (response.headersSent) response.on("close", () => response.req.socket.destroySoon());
}

const SWEEP_MS = 20;
const CLOSE_MS = 250;

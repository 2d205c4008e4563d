import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
// The runtime's own: a mock has to close even if a test has replaced the global ones, before or after this import.
import { setImmediate as nextTurn, clearTimeout as realClearTimeout, setTimeout as realTimeout } from "node:timers";
import type { SessionState } from "../service/sessions/session-state.ts";
import { type ClientError, refuse } from "./client-errors.ts";
import { createServer } from "./node-http.ts";

/** A node:http server that can shut down gracefully. */
export class Listener {
  readonly #server = createServer({
    // Long, so that clients close idle connections first: if the server did, a request on its way would fail.
    keepAliveTimeout: 65_000,
    // Node would refuse such a request by itself, and tell nobody.
    requireHostHeader: false,
  });
  /** The latest request of each connection: its response, and its session unless it is a control call. */
  readonly #latest = new Map<Duplex, { readonly response?: ServerResponse; readonly session?: SessionState }>();
  /** The sessions whose end this listener will notice: a callback for every request would take memory. */
  readonly #watched = new WeakSet<SessionState>();
  #closed: Promise<void> | undefined;

  constructor() {
    this.#server.on("connection", (socket) => {
      this.#latest.set(socket, {});
      socket.on("close", () => this.#latest.delete(socket));
    });
  }

  /**
   * Handles what arrives. Call it as soon as the server listens: no connection is handed over before.
   *
   * @param onRefused - Called for a connection that is refused before there is a request, with the status and the reason.
   */
  accept(
    onRequest: (request: IncomingMessage, response: ServerResponse) => void,
    onRefused: (status: number, reason: string) => void,
  ): void {
    const refuseWith = (error: ClientError, socket: Socket) => {
      // Node no longer handles the errors of a connection that has sent CONNECT.
      socket.on("error", socket.destroy.bind(socket));
      const { status, message } = refuse(error, socket);
      // A browser opens connections in advance: it has sent nothing, and so nothing is refused.
      if (socket.bytesRead > 0) onRefused(status, message);
    };
    this.#server.on("request", (request, response) => {
      // If it was on its way when its connection was closed, no response can be sent any more.
      if (!request.socket.writable) request.socket.destroy();
      else if (lacksHost(request)) refuseWith({ code: "NO_HOST" }, request.socket);
      else {
        this.#latest.set(request.socket, { response });
        onRequest(request, response);
      }
    });
    this.#server.on("checkExpectation", ({ socket }) => refuseWith({ code: "EXPECTATION" }, socket));
    this.#server.on("connect", ({ socket }) => refuseWith({ code: "CONNECT" }, socket));
    this.#server.on("clientError", (error: ClientError, socket: Socket) => {
      const open = openResponse(this.#latest.get(socket)?.response);
      if (!socket.writable) socket.destroy();
      // The response to a request before the invalid input is completed first.
      else if (open?.req.complete) closeAfter(open);
      else refuseWith(error, socket);
    });
  }

  /** Notes the session of a request, so that a reset ends it, even while its body is being read. */
  track(session: SessionState, response: ServerResponse): void {
    this.#latest.set(response.req.socket, { response, session });
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    session.onEnd.add(() => {
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
  listen(host: string, port: number): Promise<number> {
    const listening = new Promise<number>((resolve, reject) => {
      // Stays registered: a later error (such as running out of file descriptors) must not end the process.
      this.#server.on("error", reject);
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port));
    });
    return listening.catch((cause: NodeJS.ErrnoException) => {
      const inUse =
        "the port is in use; stop the program that listens there, or choose another port (0 for a free one)";
      const problem = cause.code === "EADDRINUSE" ? inUse : `${cause.message}; choose another host and port`;
      throw new Error(`cannot listen on ${host}, port ${port}: ${problem}`, { cause });
    });
  }

  /**
   * Stops listening, and closes every connection: those with a request after its response. Waits until each client has
   * closed its end too: otherwise a client in this process could send the next request, to a new mock on the same port,
   * over a connection that is already closed.
   *
   * @param limitMs - After this time, it waits no longer.
   */
  async close(limitMs: number): Promise<void> {
    // In the next turn, because a machine that was busy until now delivers the ends of clients in this one.
    const timer = realTimeout(() => nextTurn(() => this.#server.closeAllConnections()), limitMs);
    this.#closed ??= this.#stop();
    await this.#closed;
    realClearTimeout(timer);
  }

  #stop(): Promise<void> {
    // Node's `close` calls it, which would destroy them at once.
    this.#server.closeIdleConnections = () => {};
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const [socket, { response }] of this.#latest) {
        const open = openResponse(response);
        if (open === undefined) socket.end();
        else closeAfter(open);
      }
    });
  }
}

/** Source: RFC 9112, section 3.2. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === "1.1";
}

/** The latest response of a connection, unless the connection is ready for another request. */
function openResponse(response: ServerResponse | undefined): ServerResponse | undefined {
  if (response === undefined) return undefined;
  return response.writableEnded && response.req.complete && response.shouldKeepAlive ? undefined : response;
}

/** Makes a response the last one of its connection. */
function closeAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  // Too late for the header `Connection: close`.
  if (response.headersSent) response.on("close", () => response.req.socket.destroySoon());
}

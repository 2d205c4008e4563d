import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SessionState } from "../service/sessions/session-state.ts";
import { type ClientError, refusalOf, sendRefusal } from "./client-errors.ts";
import type { ResolvedHttpOptions } from "./http-options.ts";
import { createServer } from "./node-http.ts";

/** The runtime's own: a mock has to close even if a test has replaced the timers and does not advance the time. */
const { setTimeout: realTimeout, clearTimeout: realClearTimeout, setImmediate: nextTurn } = globalThis;

/** A node:http server, which rejects pipelined requests and can shut down gracefully. */
export class Listener {
  readonly #server = createServer({
    // Long, so that clients close idle connections first: if the server did, a request on its way would fail.
    keepAliveTimeout: 65_000,
    requireHostHeader: false, // Checked here, because node:http would refuse it without an event.
  });
  readonly #latest = new Map<Duplex, LatestRequest>();
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
  serve(
    onRequest: (request: IncomingMessage, response: ServerResponse) => void,
    onRefused: (status: number, reason: string) => void,
  ): void {
    const answer = (error: ClientError, socket: Socket) => {
      const refusal = refusalOf(error, socket);
      sendRefusal(refusal, socket);
      // A browser opens connections in advance: it has sent nothing, and so nothing is refused.
      if (socket.bytesRead > 0) onRefused(refusal[0], refusal[2]);
    };
    this.#server.on("request", (request, response) => {
      // It was on its way when its connection was closed: no response can be sent any more.
      if (!request.socket.writable) return request.socket.destroy();
      const latest = this.#latestOf(response);
      // A client that sends requests without waiting for responses could fill the memory.
      const open = openResponse(latest);
      if (open !== undefined) return closeAfter(open);
      const { headers, httpVersion, socket } = request;
      if (headers.host === undefined && httpVersion === "1.1") return answer({ code: "NO_HOST" }, socket);
      latest.response = response;
      latest.session = undefined;
      onRequest(request, response);
    });
    // Code that reads the body asks for it, or rejects the request at once.
    this.#server.on("checkContinue", (request, response) => this.#server.emit("request", request, response));
    this.#server.on("checkExpectation", ({ socket }) => answer({ code: "UNKNOWN_EXPECTATION" }, socket));
    this.#server.on("clientError", (error: ClientError, socket: Socket) => {
      // The response to a request before the invalid input is completed first.
      const open = openResponse(this.#latest.get(socket));
      const isPartOfRequest = open !== undefined && !open.req.complete;
      if (!socket.writable) socket.destroy();
      else if (open === undefined || (isPartOfRequest && !open.headersSent)) answer(error, socket);
      else if (isPartOfRequest || socket.readableEnded) socket.destroySoon();
      else closeAfter(open);
    });
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
  listen({ host, port }: Pick<ResolvedHttpOptions, "host" | "port">): Promise<number> {
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

  /** Stops listening, and closes every connection: those with a request after its response. */
  drain(): Promise<void> {
    return this.#stop((socket) => socket.destroySoon());
  }

  /**
   * The same, but waits until each client has closed its end too: otherwise a client in this process could send the next
   * request, to a new mock on the same port, over a connection that is already closed. After 250 ms it waits no longer.
   */
  async close(): Promise<void> {
    // In the next turn, because a machine that was busy until now delivers the ends of clients in this one.
    const timer = realTimeout(() => nextTurn(() => this.#server.closeAllConnections()), CLOSE_MS);
    // Node's `close` calls it, which would destroy them at once.
    this.#server.closeIdleConnections = () => {};
    await this.#stop((socket) => socket.end());
    realClearTimeout(timer);
  }

  #stop(closeIdle: (socket: Socket) => void): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const [socket, latest] of this.#latest) {
        const open = openResponse(latest);
        if (open === undefined) closeIdle(socket as Socket);
        else closeAfter(open);
      }
    });
    return this.#closed;
  }

  #latestOf(response: ServerResponse): LatestRequest {
    return this.#latest.get(response.req.socket) as LatestRequest;
  }
}

/** The latest response of a connection, unless the connection is ready for another request. */
function openResponse({ response }: LatestRequest = {}): ServerResponse | undefined {
  if (response === undefined) return undefined;
  return response.writableEnded && response.req.complete && response.shouldKeepAlive ? undefined : response;
}

/** The latest request of a connection: its response, and its session unless it is a control call. */
interface LatestRequest {
  response?: ServerResponse;
  session?: SessionState | undefined;
}

/** Makes a response the last one of its connection. */
function closeAfter(response: ServerResponse): void {
  if (!response.shouldKeepAlive) return; // It is already.
  response.shouldKeepAlive = false;
  // Too late for the header `Connection: close`.
  if (response.headersSent) response.on("close", () => response.req.socket.destroySoon());
}

const CLOSE_MS = 250;

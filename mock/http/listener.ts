import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RequestSession } from "../service/adapter.ts";
import { answerInvalidRequest } from "./client-errors.ts";
import { Connection } from "./connection.ts";
import type { ResolvedHttpOptions } from "./http-options.ts";
import { type Address, demandNetwork, explainListenError } from "./listen-error.ts";
import { createServer } from "./node-http.ts";

/** The runtime's own: a mock has to close even if a test has replaced the timers and does not advance the time. */
const { setTimeout: realTimeout, clearTimeout: realClearTimeout } = globalThis;

/** A node:http server that tracks its connections and can shut down gracefully. */
export class Listener {
  readonly #server: Server;
  /** The open connections, oldest first. */
  readonly #connections = new Map<Duplex, Connection>();
  /** The connection of the latest request. */
  #latest: Connection | undefined;
  /** The sessions whose end this listener will notice: a callback for every request would take memory. */
  readonly #sessions = new WeakSet<RequestSession>();
  readonly #maxConnections: number;
  #onIdle: (() => void) | undefined;
  #isClosing = false;
  #admitted = 0;

  /** @param onConnect - Called for CONNECT, for which node:http creates no response. */
  constructor(
    limits: ResolvedHttpOptions["limits"],
    onRequest: (request: IncomingMessage, response: ServerResponse) => void,
    onConnect: (request: IncomingMessage, socket: Duplex) => void,
  ) {
    const { maxConnections, maxHeaderBytes, requestTimeoutMs } = limits;
    this.#maxConnections = maxConnections;
    this.#server = createServer({
      maxHeaderSize: maxHeaderBytes,
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.ceil(requestTimeoutMs / 2),
      connectionsCheckingInterval: Math.min(1000, Math.ceil(requestTimeoutMs / 4)),
      // Long, so that clients close idle connections first: if the server did, a request on its way would fail.
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
    });
    // Beyond 2000, Node would drop headers in silence. Their size is limited anyway.
    this.#server.maxHeadersCount = 0;
    const receive = (request: IncomingMessage, response: ServerResponse) => {
      if (this.#isClosing) response.shouldKeepAlive = false;
      this.#open(response);
      if (!answerInvalidRequest(request, response)) onRequest(request, response);
    };
    this.#server.on("request", receive);
    // An expectation other than 100-continue: node:http itself sends a 417 without a body. A server may ignore it.
    this.#server.on("checkExpectation", receive);
    this.#server.on("connection", (socket) => this.#admit(socket));
    this.#server.on("clientError", (error, socket) => this.#connections.get(socket)?.refuse(error));
    this.#server.on("connect", (request, socket) => {
      const connection = this.#connections.get(socket);
      // Its response bypasses node:http: it would overtake those that are open.
      if (connection?.isIdle) onConnect(request, socket);
      else connection?.refuse(new Error("CONNECT cannot be pipelined"));
    });
  }

  /** Notes the session of the request that has just arrived. A reset then ends it, even while its body is being read. */
  begin(session: RequestSession): void {
    this.#latest?.begin(session);
    if (this.#sessions.has(session)) return;
    this.#sessions.add(session);
    session.onEnd(() => {
      for (const connection of this.#connections.values()) connection.endSession(session);
    });
  }

  /** Marks a request that a fault leaves without a complete response. */
  markHanging(response: ServerResponse): void {
    this.#connections.get(response.req.socket)?.markHanging(response);
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
      demandNetwork();
      this.#server.listen(port, host, BACKLOG, () => resolve((this.#server.address() as AddressInfo).port));
    });
    return listening.catch((error) => {
      throw explainListenError(error, { host, port });
    });
  }

  /**
   * Stops accepting connections and waits until every request is over. Idle connections stay open for the grace period,
   * because a request may already be on its way.
   */
  async drain(graceMs: number): Promise<void> {
    // Until here, responses keep their connections open: otherwise clients would open new ones, which join the queue.
    await this.#acceptWaiting();
    this.#stopListening();
    await new Promise((resolve) => setTimeout(resolve, graceMs));
    // On a busy machine the timer may fire late: first read the requests that have arrived in the meantime.
    await turn();
    this.#closeIdle();
    await this.#untilIdle();
  }

  /**
   * Accepts the connections in the operating system's queue: closing the listening socket would reset them, although
   * their requests may have been sent long ago. Node accepts one connection per turn of its event loop.
   */
  async #acceptWaiting(): Promise<void> {
    await turn(); // The first turn may already be half over.
    for (let i = 0; i <= BACKLOG; i++) {
      const before = this.#admitted;
      await turn();
      if (this.#admitted === before) return;
    }
  }

  /** Closes idle connections at once, and the others when their requests are over, but after 250 ms at the latest. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#closeIdle();
    // A client that never sends the rest of its request must not keep the server open.
    const timer = realTimeout(() => this.#server.closeAllConnections(), CLOSE_MS);
    await this.#untilIdle();
    realClearTimeout(timer);
  }

  async #untilIdle(): Promise<void> {
    if (this.#connections.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  /** From now on, each response closes its connection. */
  #stopListening(): void {
    this.#isClosing = true;
    for (const connection of this.#connections.values()) connection.closeAfterResponses();
    // Keeps server.close() from closing idle connections: a request may already be on its way on one of them.
    this.#server.closeIdleConnections = () => {};
    this.#server.close();
  }

  #closeIdle(): void {
    for (const { isIdle, socket } of this.#connections.values()) if (isIdle) socket.destroySoon();
  }

  #open(response: ServerResponse): void {
    // By now, the response before this one is usually over.
    this.#latest?.release();
    this.#latest = this.#connections.get(response.req.socket);
    this.#latest?.open(response);
  }

  #admit(socket: Socket): void {
    this.#admitted++;
    if (this.#connections.size >= this.#maxConnections) (this.#dispensable() ?? socket).destroy();
    const connection = new Connection(socket);
    this.#connections.set(socket, connection);
    const forget = () => {
      connection.end();
      this.#connections.delete(socket);
      if (this.#connections.size === 0) this.#onIdle?.();
    };
    socket.on("close", forget);
    // Node emits no "close" if a reset fails because the peer has gone. After CONNECT nothing else handles errors.
    socket.on("error", forget);
  }

  /** The oldest connection that has carried no request, else the oldest idle one. */
  #dispensable(): Socket | undefined {
    let oldestIdle: Socket | undefined;
    for (const { hasServed, isIdle, socket } of this.#connections.values()) {
      if (!hasServed) return socket;
      if (isIdle) oldestIdle ??= socket;
    }
    return oldestIdle;
  }
}

const CLOSE_MS = 250;

/** How many connections may wait to be accepted: Node's default. */
const BACKLOG = 511;

/** Lets the event loop read from every socket that has something to read. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

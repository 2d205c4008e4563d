import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Connection } from "./connection.ts";
import type { ResolvedHttpOptions } from "./http-options.ts";
import { type Address, explainListenError } from "./listen-error.ts";

/** A node:http server that tracks its connections and can shut down gracefully. */
export class Listener {
  readonly #server: Server;
  /** The open connections, oldest first. */
  readonly #connections = new Map<Duplex, Connection>();
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
    this.#server = createServer(
      {
        maxHeaderSize: maxHeaderBytes,
        requestTimeout: requestTimeoutMs,
        headersTimeout: Math.ceil(requestTimeoutMs / 2),
        connectionsCheckingInterval: Math.min(1000, Math.ceil(requestTimeoutMs / 4)),
        // Long enough for clients to close first: closing a connection fails a request that is already under way.
        keepAliveTimeout: 65_000,
      },
      (request, response) => {
        this.#connections.get(request.socket)?.open(response);
        onRequest(request, response);
      },
    );
    this.#server.on("connection", (socket) => this.#admit(socket));
    this.#server.on("clientError", (error, socket) => this.#connections.get(socket)?.refuse(error));
    this.#server.on("connect", onConnect);
  }

  /** Whether responses must close their connections. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Marks a request that never gets a complete response by itself. */
  markHanging(response: ServerResponse): void {
    this.#connections.get(response.req.socket)?.markHanging(response);
  }

  /**
   * Starts to listen.
   *
   * @returns the port.
   * @throws Error that explains why it cannot listen there, and what to do.
   */
  listen({ host, port }: Address): Promise<number> {
    return new Promise((resolve, reject) => {
      // Stays registered: a later error (such as no free file descriptor) must not end the process.
      this.#server.on("error", (error) => reject(explainListenError(error, { host, port })));
      this.#server.listen(port, host, BACKLOG, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  /**
   * Accepts no more connections, and waits until every request is over. Idle connections stay open for the grace period,
   * because a request may already be under way on them.
   */
  async drain(graceMs: number): Promise<void> {
    // Responses do not close their connections yet: the client would open another one, which would join the queue.
    await this.#acceptWaiting();
    this.#stopListening();
    await new Promise((resolve) => setTimeout(resolve, graceMs));
    // The timer may fire late on a busy machine: first read what has arrived in the meantime.
    await turn();
    this.#closeIdle();
    await this.#untilIdle();
  }

  /**
   * Accepts the connections in the operating system's queue: closing the listening socket would reset them, although
   * their requests may have been sent long ago. Node accepts one connection per turn of its event loop.
   */
  async #acceptWaiting(): Promise<void> {
    await turn(); // Completes the current turn.
    for (let i = 0; i <= BACKLOG; i++) {
      const before = this.#admitted;
      await turn();
      if (this.#admitted === before) return;
    }
  }

  /** Closes everything at once, except for responses that are being sent: they get 250 ms. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#closeIdle();
    // A client that never sends the rest of its request must not keep the server open.
    const timer = setTimeout(() => this.#server.closeAllConnections(), CLOSE_MS);
    await this.#untilIdle();
    clearTimeout(timer);
  }

  async #untilIdle(): Promise<void> {
    if (this.#connections.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  #stopListening(): void {
    this.#isClosing = true;
    // Keeps close() from closing idle connections at once: a request may already be under way on one of them.
    this.#server.closeIdleConnections = () => {};
    this.#server.close();
  }

  #closeIdle(): void {
    for (const { isIdle, socket } of this.#connections.values()) if (isIdle) socket.destroySoon();
  }

  #admit(socket: Socket): void {
    this.#admitted++;
    if (this.#connections.size >= this.#maxConnections) (this.#dispensable() ?? socket).destroy();
    this.#connections.set(socket, new Connection(socket));
    const forget = () => {
      this.#connections.delete(socket);
      if (this.#connections.size === 0) this.#onIdle?.();
    };
    socket.on("close", forget);
    // If a reset fails because the peer has gone, Node emits no "close". After CONNECT there is no other listener.
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

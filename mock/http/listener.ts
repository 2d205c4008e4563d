import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Connection } from "./connection.ts";
import type { ResolvedHttpOptions } from "./http-options.ts";
import { type Address, explainListenError } from "./listen-error.ts";

/** A node:http server that knows which of its connections are in use, and can end in good order. */
export class Listener {
  readonly #server: Server;
  /** The open connections, oldest first. */
  readonly #connections = new Map<Duplex, Connection>();
  readonly #maxConnections: number;
  #onIdle: (() => void) | undefined;
  #isClosing = false;
  #admitted = 0;

  /** @param onConnect - Called for CONNECT, for which node:http makes no response. */
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
        // Clients close first: a connection that the server closes while a request is on its way fails that request.
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

  /** Whether replies are to close their connections. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Marks an exchange whose reply never comes by itself. */
  markHanging(response: ServerResponse): void {
    this.#connections.get(response.req.socket)?.markHanging(response);
  }

  /**
   * Listens.
   *
   * @returns the port.
   * @throws Error that says why that address cannot be had, and what to do.
   */
  listen({ host, port }: Address): Promise<number> {
    return new Promise((resolve, reject) => {
      // The listener stays: an error that comes later (no file descriptor is left) must not end the process.
      this.#server.on("error", (error) => reject(explainListenError(error, { host, port })));
      this.#server.listen(port, host, BACKLOG, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  /**
   * Takes no new connection, and waits until every exchange is over. A connection without one is closed when the grace
   * is over: a request may be on its way on it.
   */
  async drain(graceMs: number): Promise<void> {
    // Until then replies keep their connections: a client told to close opens another, which would join the queue.
    await this.#acceptWaiting();
    this.#stopListening();
    await new Promise((resolve) => setTimeout(resolve, graceMs));
    // The timer may be late, on a busy machine: first read what has arrived in the meantime.
    await turn();
    this.#closeIdle();
    await this.#untilIdle();
  }

  /**
   * Accepts the connections that wait in the operating system's queue: closing the listening socket would reset them,
   * although their requests may have been sent long ago. Node accepts one connection in a turn of its event loop.
   */
  async #acceptWaiting(): Promise<void> {
    await turn(); // The rest of the present one.
    for (let i = 0; i <= BACKLOG; i++) {
      const before = this.#admitted;
      await turn();
      if (this.#admitted === before) return;
    }
  }

  /** Closes everything at once, but gives replies that are being sent a moment to go out. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#closeIdle();
    // Not for ever: a client that never sends the rest of its request would keep the server open.
    const moment = setTimeout(() => this.#server.closeAllConnections(), CLOSE_MS);
    await this.#untilIdle();
    clearTimeout(moment);
  }

  async #untilIdle(): Promise<void> {
    if (this.#connections.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  #stopListening(): void {
    this.#isClosing = true;
    // By itself, close() would close idle connections at once: on one of them a request may be on its way.
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
    // A reset that fails, because the peer is gone already, is the end too, and Node does not tell of its close. After
    // CONNECT nobody else listens.
    socket.on("error", forget);
  }

  /** The oldest connection that never brought a request, else the oldest one that is idle. */
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

/** How many connections may wait to be accepted. It is Node's default. */
const BACKLOG = 511;

/** Lets the event loop read from every socket that has something to read. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

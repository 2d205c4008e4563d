import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { selfSigned } from "../../self-signed.ts";

/** A POST that the server has read whole. */
export interface Post {
  /** 1 for the first that the server saw. */
  readonly number: number;
  readonly socket: Socket;
  /** The plant is in the store from here on. */
  process(): void;
}

/** How a service behaves: at a connection, before it reads anything, and at a POST. */
export interface Behavior {
  readonly connected?: (socket: Socket) => void;
  readonly posted?: (post: Post) => void;
}

/** A raw server that does what no HTTP library would let it do, and counts what reached it. */
export class ScriptedServer {
  /** POSTs that were read whole. */
  posts = 0;
  /** Requests with another method: a followed redirect would make one. */
  others = 0;
  /** How often each plant was processed, by its id. */
  readonly processed = new Map<string, number>();
  readonly #behavior: Behavior;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(behavior: Behavior, identity: TlsOptions | undefined) {
    this.#behavior = behavior;
    const connected = (socket: Socket) => this.#connected(socket);
    this.#server = identity ? createTlsServer(identity, connected) : createServer(connected);
    // A TLS server has sockets that never get as far as a connection.
    if (identity) this.#server.on("connection", (socket: Socket) => this.#keep(socket)).on("tlsClientError", () => {});
  }

  static async start(behavior: Behavior, { tls = false, port = 0 } = {}): Promise<ScriptedServer> {
    const server = new ScriptedServer(behavior, tls ? await selfSigned() : undefined);
    await new Promise<void>((resolve) => server.#server.listen(port, "127.0.0.1", resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {}).on("close", () => this.#sockets.delete(socket));
  }

  #connected(socket: Socket): void {
    this.#keep(socket);
    if (this.#behavior.connected) {
      this.#behavior.connected(socket);
      return;
    }
    let received = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
      const end = endOfRequest(received);
      if (end === undefined) return;
      const request = received.slice(0, end);
      received = received.slice(end);
      this.#requested(request, socket);
    });
  }

  #requested(request: string, socket: Socket): void {
    if (!request.startsWith("POST ")) {
      this.others++;
      reply(socket, "200 OK", PLANT);
      return;
    }
    const id = /"id":(-?\d+)/.exec(request)?.[1] ?? "";
    const process = () => this.processed.set(id, (this.processed.get(id) ?? 0) + 1);
    this.#behavior.posted?.({ number: ++this.posts, socket, process });
  }
}

/** A response as text: the status line, any headers, and a body with its length. */
export function reply(socket: Socket, status: string, body: string, ...headers: string[]): void {
  const type = headers.some((header) => /^content-type:/i.test(header)) ? [] : ["Content-Type: application/json"];
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  socket.write([`HTTP/1.1 ${status}`, ...type, length, ...headers, "", body].join("\r\n"));
}

/** What the service answers to the plant of every row. */
export const PLANT = '{"name":"Fern","tag":"indoor"}';

function endOfRequest(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head === -1) return undefined;
  const end = head + 4 + Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= end ? end : undefined;
}

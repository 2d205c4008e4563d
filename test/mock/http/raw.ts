import { connect, type Socket } from "node:net";
import { expect } from "vitest";

/** A connection without any HTTP library in between. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #ended: Promise<Ending>;
  #received = "";
  #notify: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      this.#received += text;
      this.#notify();
    });
    this.#ended = new Promise((resolve) => {
      let code: string | undefined;
      socket.on("error", (error: NodeJS.ErrnoException) => (code = error.code));
      socket.on("close", () => resolve({ text: this.#received, code }));
    });
  }

  /** Opens a connection to the port in a URL. */
  static async open(url: string): Promise<RawConnection> {
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return new RawConnection(socket);
  }

  send(data: string | Uint8Array): Promise<void> {
    // Not at once: on a closed connection, a loop of writes would delay the event of its end.
    return new Promise((resolve) => this.#socket.write(data, () => setImmediate(resolve)));
  }

  /** Ends the sending side, and keeps reading. */
  halfClose(): void {
    this.#socket.end();
  }

  /** Disconnects without a proper end. */
  cut(): void {
    this.#socket.resetAndDestroy();
  }

  /** Waits until what was received matches. */
  async received(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#received)) {
      const next = new Promise<"more">((resolve) => (this.#notify = () => resolve("more")));
      const how = await Promise.race([next, this.#ended]);
      if (how !== "more" && !pattern.test(this.#received)) {
        throw new Error(`closed (${how.code ?? "in order"}) after ${JSON.stringify(this.#received)}`);
      }
    }
    return this.#received;
  }

  /** Waits until the other side closes. */
  ended(): Promise<Ending> {
    return this.#ended;
  }

  /** As {@link RawConnection.ended}, and closes this side when the other has sent its end. */
  endedPolitely(): Promise<Ending> {
    if (this.#socket.readableEnded) this.#socket.end();
    else this.#socket.on("end", () => this.#socket.end());
    return this.#ended;
  }
}

/** Waits until nothing listens at a URL any longer. */
export async function untilRefused(url: string): Promise<void> {
  const probe = async () => (await RawConnection.open(url)).cut();
  await expect.poll(() => probe().catch(({ code }) => code), { interval: 5 }).toBe("ECONNREFUSED");
}

/** How a connection ended, and everything received before. */
export interface Ending {
  readonly text: string;
  readonly code: string | undefined;
}

/** The complete text of a POST. */
export function post(body: string, headers: readonly string[] = [], path = "/plants"): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Authorization: Bearer raw-token",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

export const PLANT = '{"id":1,"name":"Monstera"}';

/** Sends a complete request and returns everything received until the other side closes. */
export async function exchange(url: string, request: string | Uint8Array): Promise<Ending> {
  const connection = await RawConnection.open(url);
  const ended = connection.endedPolitely();
  await connection.send(request);
  return ended;
}

/** The status, headers in lower case, and body of one raw response. */
export function parseReply(text: string): { status: number; headers: Record<string, string>; body: string } {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((header) => {
      const colon = header.indexOf(":");
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(line.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}

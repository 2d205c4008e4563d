/**
 * A transport for Node that is faster than the global `fetch`.
 *
 * @module plant-store-client/undici
 */
import { Agent, type Dispatcher, request } from "undici";
import type { Fetch } from "./transport/exchange.ts";

/** Options of {@link createUndiciFetch}. `undefined` means absent. */
export interface UndiciFetchOptions {
  /**
   * How many sockets may be open to one origin.
   *
   * @defaultValue no limit
   */
  connections?: number | undefined;
  /**
   * How many requests may be under way on one socket. A request that shares a socket fails with the one before it, and
   * then its outcome is unknown.
   *
   * @defaultValue 1
   */
  pipelining?: number | undefined;
  /**
   * A dispatcher of the application's own (a proxy, a mock) instead of a new Agent; `close` leaves it open. It must
   * neither follow redirects nor send a POST again by itself: then no error would prove that nothing was sent.
   */
  dispatcher?: Dispatcher | undefined;
}

/** A {@link Fetch} that holds connections. */
export interface UndiciFetch extends Fetch {
  /** Ends the connections, once the requests under way are done; a dispatcher of the application's own stays open. */
  close(): Promise<void>;
}

/**
 * Makes a transport for Node that is faster than the global `fetch`: undici's `request`, behind the client's `fetch`
 * option, with the same errors and outcomes. It needs the package undici, 6 to 8.
 *
 * It is made for the client: it sends what the client sends, and what it resolves to has as much of a Response as the
 * client reads. MSW 2 does not see it: test with `mock.fetch`, or with the HTTP form of the mock.
 *
 * @param options - How to connect.
 * @returns What to hand in as `fetch`.
 *
 * @example
 * {@includeCode ../docs/code/undici.ts#transport}
 */
export function createUndiciFetch(options: UndiciFetchOptions = {}): UndiciFetch {
  const { connections = null, pipelining = 1, dispatcher } = options;
  // HTTP/2, which undici 8 would speak, has many requests on one socket whatever `pipelining` says.
  const agent = dispatcher ?? new Agent({ connections, pipelining, allowH2: false });

  let closing: Promise<void> | undefined;

  const undiciFetch = async (url: string, init: RequestInit): Promise<Response> => {
    if (closing && !dispatcher) throw closedError();
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      method: init.method as Dispatcher.HttpMethod,
      headers: requestHeaders(init.headers),
      body: init.body as string,
      signal: init.signal ?? null,
      // The client's deadline covers both; undici's own 300 seconds would cut a longer one short.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return new UndiciResponse(statusCode, headers, body) as unknown as Response;
  };
  return Object.assign(undiciFetch, {
    close: () => {
      // Undici rejects a second time.
      closing ??= dispatcher ? Promise.resolve() : agent.close();
      return closing;
    },
  });
}

/** Undici's own would be the one that requests under way get too when they are cut off, and would prove nothing. */
function closedError(): Error {
  return Object.assign(new Error("createUndiciFetch was closed before this request"), { code: "UND_ERR_CLOSED" });
}

type UndiciHeaders = Dispatcher.ResponseData["headers"];
type UndiciBody = Dispatcher.ResponseData["body"];

/** As much of a Response as the client reads; a real one would cost more than the request. */
class UndiciResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: UndiciStream;

  constructor(status: number, headers: UndiciHeaders, body: UndiciBody) {
    this.status = status;
    this.headers = responseHeaders(headers);
    this.body = new UndiciStream(body);
  }
}

/** A body that is its own reader. */
class UndiciStream implements Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel"> {
  readonly #body: UndiciBody;
  readonly #chunks: AsyncIterator<Uint8Array>;

  constructor(body: UndiciBody) {
    this.#body = body;
    this.#chunks = body[Symbol.asyncIterator]();
    // Whoever reads gets the error. Where nobody does any more, Node would end the process for it.
    body.on("error", () => {});
  }

  getReader(): this {
    return this;
  }

  async read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    const { done, value } = await this.#chunks.next();
    return done ? { done: true, value: undefined } : { done: false, value };
  }

  async cancel(): Promise<void> {
    this.#body.destroy();
  }
}

/** `request` does not decompress, as fetch does: it has to say so. */
function requestHeaders(headers: HeadersInit = {}): string[] {
  const flat = ["accept-encoding", "identity"];
  const pairs: Iterable<readonly string[]> = Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [name = "", value = ""] of pairs) {
    if (name.toLowerCase() !== "accept-encoding") flat.push(name, value);
  }
  return flat;
}

function responseHeaders(record: UndiciHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === "string") headers.append(name, byteString(value));
    else for (const each of value ?? []) headers.append(name, byteString(each));
  }
  return headers;
}

/** Undici 6 reads headers as UTF-8, and Headers would throw at what is beyond Latin-1: back to one character a byte. */
function byteString(value: string): string {
  return /[^\0-\xff]/.test(value) ? String.fromCharCode(...new TextEncoder().encode(value)) : value;
}

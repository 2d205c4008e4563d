import type { IncomingMessage } from "node:http";
import type { RequestHeaders } from "../service/request.ts";

/** Node's own lists of headers: `IncomingMessage.headers` keeps only the first of several Authorization headers. */
class DistinctHeaders implements RequestHeaders {
  readonly #headers: NodeJS.Dict<string[]>;

  constructor(headers: NodeJS.Dict<string[]>) {
    this.#headers = headers;
  }

  get(name: string): string | undefined {
    const values = this.#headers[name];
    return values?.length === 1 ? values[0] : values?.join(", ");
  }

  *[Symbol.iterator](): Generator<readonly [name: string, value: string], undefined> {
    for (const name of Object.keys(this.#headers)) yield [name, this.get(name) as string];
  }
}

/**
 * Creates the header reader of a server. Consecutive requests with equal headers share one object, because the lists take
 * more time and memory than the comparison.
 */
export function headersReader(): (request: IncomingMessage) => RequestHeaders {
  let raw: readonly string[] = [];
  let headers = new DistinctHeaders({});
  return (request) => {
    const { rawHeaders } = request;
    const isEqual = rawHeaders.length === raw.length && rawHeaders.every((text, i) => text === raw[i]);
    if (!isEqual) {
      raw = rawHeaders;
      headers = new DistinctHeaders(request.headersDistinct);
    }
    return headers;
  };
}

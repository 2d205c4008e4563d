import type { RequestHeaders } from "../service/adapter.ts";

/**
 * The headers of a request as they arrived. `IncomingMessage.headers` keeps only the first of several Authorization
 * headers, but the service needs all of them.
 */
export class WireHeaders implements RequestHeaders {
  readonly #raw: readonly string[];

  /** The size of all names and values in bytes. Node decodes headers as Latin-1: one character per byte. */
  readonly size: number;

  constructor(raw: readonly string[]) {
    this.#raw = raw;
    this.size = raw.reduce((sum, text) => sum + text.length, 0);
  }

  equals(raw: readonly string[]): boolean {
    return raw.length === this.#raw.length && raw.every((text, i) => text === this.#raw[i]);
  }

  get(name: string): string | undefined {
    let value: string | undefined;
    const raw = this.#raw;
    for (let i = 0; i < raw.length; i += 2) {
      const candidate = raw[i] as string;
      if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
      value = value === undefined ? raw[i + 1] : `${value}, ${raw[i + 1]}`;
    }
    return value;
  }

  *[Symbol.iterator](): Generator<readonly [name: string, value: string], undefined> {
    // Not with `get`, which reads all headers: a request may have thousands.
    const values = new Map<string, string>();
    for (let i = 0; i < this.#raw.length; i += 2) {
      const name = (this.#raw[i] as string).toLowerCase();
      const value = this.#raw[i + 1] as string;
      const earlier = values.get(name);
      values.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
    }
    yield* values;
  }
}

/**
 * Creates the header reader of a server. Consecutive requests with equal headers share one object, so that a journal of
 * a thousand requests does not keep a thousand copies.
 */
export function wireHeadersReader(): (raw: readonly string[]) => WireHeaders {
  let latest = new WireHeaders([]);
  return (raw) => {
    if (!latest.equals(raw)) latest = new WireHeaders(raw);
    return latest;
  };
}

/** A reply in plain data, as a test hands it over. */
export interface Reply {
  /** The HTTP status, from 200 to 599. */
  status: number;
  /** Headers of the reply. A body that is no string gets `Content-Type: application/json` where this names none. */
  headers?: Record<string, string> | undefined;
  /** The body: a string goes out as it is, anything else as JSON; `undefined` means that there is none. */
  body?: unknown;
}

/** A reply ready for the wire. The headers alternate name and value, as `writeHead` of node:http takes them. */
export interface WireReply {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

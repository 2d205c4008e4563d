/** A request as plain data. */
export interface RequestData {
  readonly method: string;
  /** Path and query as sent, including the path of the base URL. */
  readonly path: string;
  /** A native `Headers`, or a cheaper object. The journal keeps it: do not change it afterwards. */
  readonly headers: RequestHeaders;
  /** Text, if the bytes are known to be UTF-8 (with a leading BOM kept); otherwise the bytes. */
  readonly body: string | Uint8Array;
  /** The length of the body, if it is rejected unread. */
  readonly byteLength?: number | undefined;
}

/** Headers as the service reads them: a few lookups, and the whole list only if a test reads the journal. */
export interface RequestHeaders extends Iterable<readonly [name: string, value: string]> {
  /** The value for a lower-case name; several values are joined by `", "`. */
  get(name: string): string | null | undefined;
}

/** The body of a response as text. */
export interface BodyText {
  readonly text: string;
  /** The body exceeds the limit, and `text` is its beginning. */
  readonly isTruncated: boolean;
  /** Some bytes are not UTF-8, and are replaced by U+FFFD in `text`. */
  readonly isMalformed: boolean;
}

/** A complete response. */
export interface Reply {
  readonly status: number;
  readonly body: BodyText;
  /** Read for its headers only, by `headersOf` and `rawHeadersOf`. */
  readonly response: Response;
}

/** The key of the headers as undici gave them, on a response of createUndiciFetch: a `Headers` costs more to create. */
export const RAW_HEADERS: unique symbol = /* @__PURE__ */ Symbol.for("plant-store-client.headers") as never;

/** Headers in the form of undici 7 and 8: a header sent more than once has a list. */
export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

export function headersOf({ response: { headers } }: Reply): Headers {
  // In an application's tests, they may be a plain object or absent.
  return headers instanceof Headers ? headers : new Headers(headers);
}

/** The same headers, if they can be read without creating a `Headers`. */
export function rawHeadersOf({ response }: Reply): RawHeaders | undefined {
  return (response as { readonly [RAW_HEADERS]?: RawHeaders })[RAW_HEADERS];
}

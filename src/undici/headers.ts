/** Headers in the form of undici 7 and 8: a header sent more than once has a list. */
export type UndiciHeaders = Record<string, string | string[] | undefined>;

/** Unlike fetch, undici's `dispatch` does not decompress, so the request asks for no compression. */
export function requestHeaders(headers: HeadersInit = {}): string[] {
  const flat = ["accept-encoding", "identity"];
  const pairs = (Symbol.iterator in headers ? headers : Object.entries(headers)) as Iterable<[string, string]>;
  for (const [name, value] of pairs) {
    if (name.toLowerCase() !== "accept-encoding") flat.push(name, value);
  }
  return flat;
}

/** Headers in the form of undici 7 and 8. */
export function responseHeaders(record: UndiciHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === "string") headers.append(name, byteString(value));
    else for (const each of value ?? []) headers.append(name, byteString(each));
  }
  return headers;
}

/** Headers in the form of undici 6: names and values in turn. */
export function rawHeaders(namesAndValues: readonly Uint8Array[]): Headers {
  const headers = new Headers();
  const texts = namesAndValues.map(latin1);
  for (let i = 0; i < texts.length; i += 2) headers.append(texts[i] as string, texts[i + 1] as string);
  return headers;
}

/** Early versions of undici 7 read headers as UTF-8, and `Headers` throws on characters beyond Latin-1. */
function byteString(value: string): string {
  return /[^\0-\xff]/.test(value) ? latin1(new TextEncoder().encode(value)) : value;
}

/** Not String.fromCharCode, because a header may have more bytes than a call can have arguments. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

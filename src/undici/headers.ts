import type { RawHeaders } from "../transport/reply.ts";

/** Unlike fetch, undici's `dispatch` does not decompress, so the request asks for no compression. */
export function requestHeaders(headers: HeadersInit = {}): string[] {
  const flat = ["accept-encoding", "identity"];
  const pairs = (Symbol.iterator in headers ? headers : Object.entries(headers)) as Iterable<[string, string]>;
  for (const [name, value] of pairs) {
    if (name.toLowerCase() !== "accept-encoding") flat.push(name, value);
  }
  return flat;
}

/** Skips a header that `Headers` refuses: only a dispatcher of the application's own can pass one. */
export function responseHeaders(raw: RawHeaders): Headers {
  const headers = new Headers();
  for (const name of Object.keys(raw)) {
    const value = raw[name];
    if (typeof value === "string") append(headers, name, value);
    else for (const each of value ?? []) append(headers, name, each);
  }
  return headers;
}

function append(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, byteString(value));
  } catch {
    // The response is of more use than an error about its header.
  }
}

/** Converts headers from the form of undici 6: names and values in turn. */
export function rawHeaders(namesAndValues: readonly Uint8Array[]): RawHeaders {
  const raw: Record<string, string[]> = { __proto__: null } as never;
  const texts = namesAndValues.map(latin1);
  for (let i = 0; i < texts.length; i += 2) {
    const name = (texts[i] as string).toLowerCase();
    raw[name] ??= [];
    raw[name].push(texts[i + 1] as string);
  }
  return raw;
}

/** Early versions of undici 7 read headers as UTF-8, and `Headers` throws on characters beyond Latin-1. */
function byteString(value: string): string {
  return /[^\0-\xff]/.test(value) ? latin1(new TextEncoder().encode(value)) : value;
}

/** Not String.fromCharCode, because a header may have more bytes than a call can have arguments. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Headers in the form of undici 7 and 8: a header sent more than once has a list. */
export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The bodies are small: a request asks for no compression. */
export function requestHeaders(headers: HeadersInit = {}): string[] {
  const flat = ["accept-encoding", "identity"];
  const pairs = (Symbol.iterator in headers ? headers : Object.entries(headers)) as Iterable<[string, string]>;
  for (const [name, value] of pairs) {
    if (name.toLowerCase() !== "accept-encoding") flat.push(name, value);
  }
  return flat;
}

/** The headers of a response: all that the client needs to read one, and what `Headers` are made from, which cost more. */
export class LightHeaders implements Iterable<[name: string, value: string]> {
  constructor(private readonly raw: RawHeaders) {}

  get(name: string): string | null {
    const value = this.raw[name];
    if (typeof value === "string") return byteString(value);
    // A header may be absent, be sent twice, or have capitals if it comes from a dispatcher of the application's own.
    return new Headers([...this]).get(name);
  }

  [Symbol.iterator](): Iterator<[name: string, value: string]> {
    const pairs: [name: string, value: string][] = [];
    for (const [name, value = []] of Object.entries(this.raw)) {
      if (typeof value === "string") pairs.push([name, byteString(value)]);
      else for (const one of value) pairs.push([name, byteString(one)]);
    }
    return pairs[Symbol.iterator]();
  }
}

/** Converts headers from the form of undici 6: names and values in turn. */
export function rawHeaders(namesAndValues: readonly Uint8Array[]): RawHeaders {
  // Without a prototype: a header may be called `constructor`.
  const raw: Record<string, string[]> = Object.create(null);
  const texts = namesAndValues.map(latin1);
  for (let i = 0; i < texts.length; i += 2) {
    const name = (texts[i] as string).toLowerCase();
    raw[name] = [...(raw[name] ?? []), texts[i + 1] as string];
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

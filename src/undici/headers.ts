/** Headers as undici has them: a header that was sent more than once has a list. */
export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The headers of a request as undici takes them: names and values in turn. It asks for no compression of a small body. */
export function toRawHeaders(headers: HeadersInit = {}): string[] {
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

/** Early versions of undici 7 read headers as UTF-8, and `Headers` throws on characters beyond Latin-1. */
function byteString(value: string): string {
  return /[^\0-\xff]/.test(value) ? Buffer.from(value).toString("latin1") : value;
}

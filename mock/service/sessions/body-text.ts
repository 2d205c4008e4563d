import type { Reply, WireReply } from "../reply.ts";

// A byte order mark is kept (that is what ignoreBOM means): the service refuses it. Decoders are made on first use, so
// that a runtime without them gets a clear message from the mock.
let strict: TextDecoder | undefined;
let lenient: TextDecoder | undefined;

/** The text of some bytes, or `undefined` if they are ill-formed. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  strict ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of some bytes, with a replacement character for what is ill-formed. */
export function decodeUtf8Leniently(bytes: Uint8Array | undefined): string {
  lenient ??= new TextDecoder("utf-8", { ignoreBOM: true });
  return lenient.decode(bytes);
}

/** The beginning of a long text as a text of its own: a slice would keep the whole one in memory. */
export function beginning(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : decodeUtf8Leniently(new TextEncoder().encode(text.slice(0, maxLength)));
}

/** A wire reply as a test reads it: JSON is parsed. */
export function decodeReply({ status, headers, body }: WireReply): Reply {
  const named: Record<string, string> = {};
  for (let i = 0; i < headers.length; i += 2) named[(headers[i] as string).toLowerCase()] = headers[i + 1] as string;
  const reply: Reply = { status, headers: named };
  if (body !== "") reply.body = body;
  if (named["content-type"] !== "application/json") return reply;
  try {
    reply.body = JSON.parse(body);
  } catch {
    // An injected body that only claims to be JSON stays as it is.
  }
  return reply;
}

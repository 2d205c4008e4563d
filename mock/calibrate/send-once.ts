// Not imported, for the reason that mock/http/node-http.ts gives.
const { request: requestHttp } = process.getBuiltinModule("node:http");
const { request: requestHttps } = process.getBuiltinModule("node:https");
const zlib = process.getBuiltinModule("node:zlib");

/** The part of a `Response` that is observed. */
export interface RawReply extends Pick<Response, "status" | "headers"> {
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * Sends a request exactly once. Node's `fetch` repeats it after a 421, which nobody could count
 * (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch). A redirect is not followed, so that the token reaches no
 * other host.
 */
export async function sendOnce(url: string, { method, headers, body, signal }: RequestInit): Promise<RawReply> {
  const start = url.startsWith("https:") ? requestHttps : requestHttp;
  const message = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
    const request = start(url, {
      method: method as string,
      // A kept connection may be closed by the service just when the next request is sent.
      headers: { ...(headers as Record<string, string>), "Accept-Encoding": "identity", Connection: "close" },
      signal: signal as AbortSignal,
    });
    request.on("error", reject).on("response", resolve).end(body);
  });
  return {
    status: message.statusCode as number,
    headers: new Headers(message.headers as Record<string, string>),
    body: message,
  };
}

/** How much of a body is read, and how long it may be without its Content-Encoding. */
const MAX_BODY_BYTES = 2 ** 20;

/** Reads the beginning of a body as a client's `fetch` would see it: without its Content-Encoding, if it can be undone. */
export async function readText({ body, headers }: RawReply): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BODY_BYTES) break;
  }
  const bytes = Buffer.concat(chunks);
  return new TextDecoder().decode(decompress(bytes, headers.get("Content-Encoding")));
}

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/** How to undo each Content-Encoding (RFC 9110, section 8.4.1). */
const DECODERS = new Map<string, Decoder>([
  ["gzip", zlib.gunzipSync],
  ["x-gzip", zlib.gunzipSync],
  ["deflate", zlib.inflateSync],
  ["br", zlib.brotliDecompressSync],
]);

function decompress(bytes: Uint8Array, encoding: string | null): Uint8Array {
  const names = (encoding ?? "").toLowerCase().split(/[\s,]+/);
  const decoders = names.filter((name) => name !== "" && name !== "identity").map((name) => DECODERS.get(name));
  try {
    return decoders.reduceRight<Uint8Array>((rest, decode) => {
      if (decode === undefined) throw new Error("unknown Content-Encoding");
      return decode(rest, { maxOutputLength: MAX_BODY_BYTES });
    }, bytes);
  } catch {
    return bytes;
  }
}

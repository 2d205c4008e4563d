import type { ChunkReader } from "../call/response-body.ts";

// Not imports: a bundler for browsers must not look for them.
const zlib = () => process.getBuiltinModule("node:zlib");
const streams = () => process.getBuiltinModule("node:stream");

/** How to undo each Content-Encoding (RFC 9110, section 8.4.1). Node 20 has no zstd. */
const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream | undefined>> = {
  identity: () => new (streams().PassThrough)(),
  gzip: () => zlib().createGunzip(),
  "x-gzip": () => zlib().createGunzip(),
  deflate: () => zlib().createInflate(),
  br: () => zlib().createBrotliDecompress(),
  zstd: () => (zlib() as { createZstdDecompress?: () => NodeJS.ReadWriteStream }).createZstdDecompress?.(),
};

/** The most encodings of one body, as in Node's own `fetch`: each decoder takes memory. */
const MAX_ENCODINGS = 5;

/**
 * A body without its Content-Encoding. It is decoded only as far as it is read, so that a body which expands without end
 * stops at the client's limit.
 *
 * @param encoding - The value of Content-Encoding: one or more names, in the order in which they were applied.
 * @throws Error that names an encoding which this runtime cannot decode.
 */
export function decompress(source: ChunkReader, encoding: string): AsyncIterator<Uint8Array> {
  const names = encoding.split(",").map((name) => name.trim().toLowerCase());
  if (names.length > MAX_ENCODINGS)
    throw new Error(`the service sent a body with more than ${MAX_ENCODINGS} encodings`);
  const decoders = names.reverse().map((name) => {
    const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined;
    if (decoder) return decoder;
    throw new Error(`the service sent a body with Content-Encoding ${name}, which this runtime cannot decode`);
  });
  const { pipeline, Readable } = streams();
  // An error of one stream destroys them all, and the last one, which is read, reports it.
  const decoded: unknown = pipeline([Readable.from(chunksOf(source)), ...decoders], () => {});
  return (decoded as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
}

async function* chunksOf(source: ChunkReader): AsyncGenerator<Uint8Array> {
  for (let { value } = await source.read(); value; { value } = await source.read()) yield value;
}

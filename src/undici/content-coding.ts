/**
 * Undoes the Content-Encoding of a body as Node's own `fetch` does (RFC 9110, section 8.4.1): a name that is not a coding
 * leaves the whole body as it is, and more than five names are refused. A body may lack its end, such as the checksum of a
 * gzip. It is decoded only as far as it is read, so that a body which expands without end stops at the client's limit.
 */
import type { ChunkReader } from "../call/response-body.ts";

// Not imports: a bundler for browsers must not look for them.
const zlib = () => process.getBuiltinModule("node:zlib");
const streams = () => process.getBuiltinModule("node:stream");

type Chunks = AsyncIterable<Uint8Array>;

/** Undoes one coding. */
export type Decoder = NodeJS.ReadWriteStream | ((source: Chunks) => Chunks);

const MAX_CODINGS = 5;

/** At the end of a body, give what there is: Z_SYNC_FLUSH of zlib, and BROTLI_OPERATION_FLUSH. */
const UNTIL_END = { flush: 2, finishFlush: 2 };
const BROTLI_UNTIL_END = { flush: 1, finishFlush: 1 };

function decoderOf(coding: string): Decoder | undefined {
  if (coding === "gzip" || coding === "x-gzip") return zlib().createGunzip(UNTIL_END);
  if (coding === "deflate") return inflate;
  if (coding === "br") return zlib().createBrotliDecompress(BROTLI_UNTIL_END);
  if (coding !== "zstd") return undefined;
  // Node 20 does not have it.
  const { createZstdDecompress } = zlib() as { createZstdDecompress?: () => NodeJS.ReadWriteStream };
  return createZstdDecompress?.();
}

/**
 * The decoders of a body, the last coding first; none if any name is unknown.
 *
 * @param encoding - Content-Encoding: the names, in the order in which they were applied.
 * @throws An Error if there are too many: each decoder takes memory.
 */
export function decodersOf(encoding: string | string[] | undefined): readonly Decoder[] {
  if (encoding === undefined) return [];
  const names = `${encoding}`.toLowerCase().split(",");
  if (names.length > MAX_CODINGS) throw new Error(`the service sent a body with more than ${MAX_CODINGS} encodings`);
  const decoders = names.reverse().map((name) => decoderOf(name.trim()));
  return decoders.every((decoder) => decoder !== undefined) ? decoders : [];
}

/** The chunks of a body after all of its decoders. */
export function decode(source: ChunkReader, decoders: readonly Decoder[]): AsyncIterator<Uint8Array> {
  return pipe(chunksOf(source), decoders)[Symbol.asyncIterator]();
}

async function* chunksOf(source: ChunkReader): AsyncGenerator<Uint8Array> {
  for (let { value } = await source.read(); value; { value } = await source.read()) yield value;
}

/** An error of one stream destroys them all, and the last one, which is read, reports it. */
function pipe(source: Chunks, decoders: readonly Decoder[]): Chunks {
  const { pipeline, Readable } = streams();
  const all: unknown = [Readable.from(source), ...decoders];
  return pipeline(all as NodeJS.ReadWriteStream[], () => {}) as unknown as Chunks;
}

/** Undoes `deflate`, which some services send without the header of zlib: the first byte tells. */
async function* inflate(source: Chunks): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const { createInflate, createInflateRaw } = zlib();
  const create = ((first.value[0] as number) & 0x0f) === 0x08 ? createInflate : createInflateRaw;
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  yield* pipe(whole(), [create(UNTIL_END)]);
}

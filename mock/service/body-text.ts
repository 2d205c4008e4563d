/** How many characters of a body the journal keeps. */
export const BODY_TEXT_LIMIT = 16_384;

// `ignoreBOM` keeps a byte order mark in the text, which the service rejects. Decoders are created on first use, so that
// a runtime without them gets a clear message from the mock.
let strict: TextDecoder | undefined;
let lenient: TextDecoder | undefined;

/** Decodes UTF-8, or returns `undefined` if the bytes are ill-formed. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  strict ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8, with replacement characters for ill-formed bytes. */
export function decodeUtf8Leniently(bytes: Uint8Array): string {
  lenient ??= new TextDecoder("utf-8", { ignoreBOM: true });
  return lenient.decode(bytes);
}

/** A copy of the beginning of a long text: a slice would keep the whole text in memory. */
export function beginning(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : decodeUtf8Leniently(new TextEncoder().encode(text.slice(0, maxLength)));
}

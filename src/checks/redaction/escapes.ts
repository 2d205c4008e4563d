/** A text, from which escapes may have been removed. */
export interface Decoded {
  readonly text: string;
  /** The place of each character, and of the end, in the original text; absent if that is the same. */
  readonly places?: Uint32Array | undefined;
  /** How often it was decoded. */
  readonly depth?: number;
}

/** Characters that HTML has a name for: of a token, or around one. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", equals: "=", lowbar: "_", period: ".", plus: "+", quot: '"', sol: "/" },
};

/**
 * The escape of one character: `%2B`, `\u002b`, `\x2b`, `&#x2b;`, `&#43;`, `&plus;`, or backslashes before it, of which JSON
 * within JSON has several.
 */
const ESCAPE = /(?:\\+(?:u00|x)|%)([\da-f]{2})|&(?:#x0*([\da-f]{2})|#0*(\d{2,3})|([a-z]{3,6}));|\\+([^\\]|$)/gi;

/** How often a text may be escaped as a whole, as in `%252B` or `&amp;plus;`. */
const MAX_DEPTH = 3;

/** Replaces each escape with its character; undefined if there is none, or the text was decoded often enough. */
export function decode({ text, places: outer, depth = 0 }: Decoded): Decoded | undefined {
  if (depth === MAX_DEPTH || text.search(ESCAPE) < 0) return undefined;
  const places = new Uint32Array(text.length + 1);
  let decoded = "";
  let end = 0;
  const keepUntil = (index: number) => {
    decoded += text.slice(end, index);
    for (; end <= index; end++) places[decoded.length - index + end] = outer?.[end] ?? end;
  };
  // Several times as fast as `replace` with a function.
  for (const { 0: sequence, 1: hex, 2: hexOfEntity, 3: decimal, 4: name, 5: escaped, index } of text.matchAll(ESCAPE)) {
    const code = Number(decimal ?? `0x${hex ?? hexOfEntity}`);
    const character = name ? NAMED[name] : (escaped ?? String.fromCharCode(code));
    if (character === undefined) continue;
    keepUntil(index);
    decoded += character;
    end = index + sequence.length;
  }
  keepUntil(text.length);
  return { text: decoded, places, depth: depth + 1 };
}

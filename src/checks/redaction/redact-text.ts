const MASK = "[redacted]";
/** A token of at least this length is too long to be an ordinary word, and is removed everywhere. */
const BARE_LENGTH = 16;
/** So many characters are searched for at first: engines take long to compile the pattern of more. */
const HEAD_LENGTH = 4;
/** A part of the rest of a token, for one pattern, which is created when the head of a token was found. */
const PART = /.{1,16}/g;
/** An escape at the end of a text, which may be incomplete. */
const CUT_ESCAPE = /(?:\\{1,7}|[%&])(?:amp;){0,9}[#\w]{0,9}$/;

/**
 * Removes every token of a call from a text, and cuts the text to `maxLength` characters. Of a text that was cut before
 * (`isCut`), the end is removed if it may be the beginning of a token.
 */
export type Redact = (text: string, maxLength?: number, isCut?: boolean) => string;

/**
 * Creates the redaction of tokens in texts from outside. Its time is linear in the text.
 *
 * The text is not decoded: that takes many times as long, and what stands before a token may look like the beginning of an
 * escape.
 *
 * A token is found in either case, and with any usual escape of each of its characters (see {@link anyForm}): after
 * `Bearer` always, elsewhere from 16 characters on. After `Bearer`, any other token of 16 characters is removed, too.
 */
export function createRedact(tokens: readonly string[]): Redact {
  /** Created for the first text that needs them: few have an escape, or were cut. */
  const searches: Record<string, readonly Search[]> = {};
  return (text, maxLength = Number.POSITIVE_INFINITY, isCut = false) => {
    const isEndCut = isCut || text.length > maxLength;
    const start = isEndCut ? text.slice(0, maxLength).replace(CUT_ESCAPE, "") : text;
    const hasEscapes = /[\\%&]/.test(start);
    const kind = `${hasEscapes} ${isEndCut}`;
    searches[kind] ??= createSearches(tokens, hasEscapes ? anyForm : plainForm, isEndCut);
    const spans: Span[] = [];
    for (const search of searches[kind]) search(start, spans);
    const kept = mask(start, spans, isEndCut).slice(0, maxLength);
    // A copy: V8's slice would keep the whole text in memory.
    return isEndCut ? [...kept].join("") : kept;
  };
}

/** Where a token begins and ends. */
type Span = readonly [from: number, to: number];
/** Adds what it finds. */
type Search = (text: string, spans: Span[]) => void;

function createSearches(tokens: readonly string[], form: Form, isCut: boolean): readonly Search[] {
  /** The pattern of a part of a token, or of the beginning of one where a text was cut. */
  const write = (part: string) =>
    [...part].reduceRight(
      (rest, character) => (isCut ? `(?:$|${form(character)}${rest})` : form(character) + rest),
      "",
    );
  // Repeated with a limit: some millions of repetitions of a group overflow V8's stack.
  const bearer = `(bearer(?:[^\\S ]|\\+|${form(" ")}){1,99})`;
  // As in `error_description="…"` (RFC 9110, section 11).
  const authParam = `[a-z_-]+\\s*${form("=")}\\s*["\\w\\\\&%]`;
  const other = `(?:\\w|${[..."+/.~-"].map(form).join("|")}){16,99999}${form("=")}{0,9}`;
  const known = tokens.map((token) => {
    const before = token.length < BARE_LENGTH ? bearer : "()";
    const rest = token.slice(HEAD_LENGTH).match(PART) ?? [];
    return createSearch(before + write(token.slice(0, HEAD_LENGTH)), rest, write);
  });
  return [createSearch(`${bearer}(?!${authParam})${other}`, [], write), ...known];
}

/**
 * Creates the search for a token in parts.
 *
 * @param head - The pattern of the first part; its group is kept.
 */
function createSearch(head: string, rest: readonly string[], write: (part: string) => string): Search {
  const first = new RegExp(head, "gi");
  let others: RegExp[] | undefined;
  return (text, spans) => {
    for (let found = first.exec(text); found; found = first.exec(text)) {
      const { 1: before = "", index } = found;
      let end = first.lastIndex;
      others ??= rest.map((part) => new RegExp(write(part), "iy"));
      const isWhole = others.every((pattern) => {
        pattern.lastIndex = end;
        const isFound = pattern.test(text);
        end = pattern.lastIndex;
        return isFound;
      });
      if (isWhole) spans.push([index + before.length, end]);
      first.lastIndex = Math.max(index + 1, end);
    }
  };
}

/** Masks the tokens of a text. One at the end of a text that was cut may be incomplete, and is removed. */
function mask(text: string, spans: Span[], isCut: boolean): string {
  let masked = "";
  let end = 0;
  for (const [from, to] of spans.sort(([one], [other]) => one - other)) {
    if (from >= end) masked += text.slice(end, from) + (isCut && to === text.length ? "" : MASK);
    end = Math.max(end, to);
  }
  return masked + text.slice(end);
}

/** Writes the pattern of a visible ASCII character, or of a space. */
type Form = (character: string) => string;

const plainForm: Form = (character) => character.replace(/\W/, "\\$&");

/** Characters of a token that HTML has a name for. */
const NAMES: Readonly<Record<string, string>> = { "+": "plus", "/": "sol", "=": "equals", ".": "period", _: "lowbar" };

/**
 * As it is, `%2B`, `&#x2b;`, `&#43;`, `&plus;`, `\u002b`, `\x2b`, or after backslashes, of which JSON within JSON has several.
 * The first sign may be escaped in its turn, as in `%252B`, `&amp;#43;` and `%5Cu002b`.
 *
 * No two alternatives match the same text: that keeps the time of a search linear.
 */
const anyForm: Form = (character) => {
  const plain = plainForm(character);
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  const name = NAMES[character] ?? "#";
  const escaped = `(?:u00|x|%)${hex}${/\w/.test(character) ? "" : `|${plain}`}`;
  const afterBackslashes = character === "\\" ? "" : `|(?:\\\\|%5c){1,7}(?:${escaped})`;
  return `(?:${plain}|%(?:25)*${hex}|&(?:amp;)*(?:#x0*${hex}|#0*${code}|${name});${afterBackslashes})`;
};

import { decode } from "./escapes.ts";

const MASK = "[redacted]";
/** A token of at least this length is too long to be an ordinary word, and is removed everywhere. */
const BARE_LENGTH = 16;

/**
 * Removes every token of a call from a text, and cuts the text to `maxLength` characters. Of a text that was cut before
 * (`isCut`), the end is removed if it may be the beginning of a token.
 */
export type Redact = (text: string, maxLength?: number, isCut?: boolean) => string;

/**
 * Creates the redaction of tokens in texts from outside. It takes linear time.
 *
 * A token is found in either case, and with any usual escape of each of its characters (see {@link decode}): after
 * `Bearer` always, elsewhere from `bareLength` characters on. After `Bearer`, any other token of 16 characters is removed,
 * too.
 */
export function createRedact(tokens: readonly string[], bareLength: number = BARE_LENGTH): Redact {
  const forms = [...new Set(tokens.flatMap((token) => [token, decode(token).text]).map(lowerCase))].filter(Boolean);
  const bare = forms.filter(({ length }) => length >= bareLength);
  const longest = Math.max(0, ...forms.map(({ length }) => length));
  return (text, maxLength = Number.POSITIVE_INFINITY, isCut = false) => {
    // A token at the end of what is kept is found whole, but not one at the end of what is read.
    const start = text.slice(0, maxLength + longest);
    // Searched before it is decoded, too: what stands before a token may look like the beginning of an escape.
    const raw = mask(start, occurrencesOf(bare, lowerCase(start)));
    const { text: decoded, places } = decode(raw);
    const hidden = places ? occurrencesOf(bare, lowerCase(decoded)) : [];
    const redacted = mask(raw, [...hidden, ...afterBearer(forms, decoded)], places);
    const isEndCut = isCut || start.length < text.length;
    const kept = (isEndCut ? withoutBeginning(redacted, forms) : redacted).slice(0, maxLength);
    // A copy: V8's slice would keep the whole text in memory.
    return kept.length < text.length ? [...kept].join("") : kept;
  };
}

/** In lower case, with as many characters: of all others, only this one becomes two. */
function lowerCase(text: string): string {
  return text.replaceAll("\u0130", "i").toLowerCase();
}

/** Where a token begins and ends. */
type Span = readonly [from: number, to: number];

function occurrencesOf(forms: readonly string[], lower: string): Span[] {
  const spans: Span[] = [];
  for (const form of forms) {
    for (let from = lower.indexOf(form); from >= 0; from = lower.indexOf(form, from + form.length)) {
      spans.push([from, from + form.length]);
    }
  }
  return spans;
}

const SCHEME = /bearer[\s+]+/gi;
/** An auth-param, as in `error_description="…"`; or in its place a token68 of 16 characters (RFC 9110, section 11). */
const PARAM_OR_TOKEN = /^(?:[a-z_-]+\s*=\s*["\w]|([\w.~+/-]{16,}=*))/;

/** The tokens after `Bearer`: those that are known, and any long word. */
function afterBearer(forms: readonly string[], text: string): Span[] {
  const spans: Span[] = [];
  SCHEME.lastIndex = 0;
  while (SCHEME.test(text)) {
    const from = SCHEME.lastIndex;
    for (const form of forms) {
      const to = from + form.length;
      if (lowerCase(text.slice(from, to)) === form) spans.push([from, to]);
    }
    const [, token = ""] = PARAM_OR_TOKEN.exec(text.slice(from)) ?? [];
    // It is read once: it may have `bearer+` in it many times.
    SCHEME.lastIndex = from + token.length;
    if (token) spans.push([from, SCHEME.lastIndex]);
  }
  return spans;
}

/** @param places - Where the characters of the spans are in the text. */
function mask(text: string, spans: readonly Span[], places?: Uint32Array): string {
  let masked = "";
  let end = 0;
  for (const [first, last] of [...spans].sort(([one], [other]) => one - other)) {
    const from = places?.[first] ?? first;
    if (from >= end) masked += text.slice(end, from) + MASK;
    end = Math.max(end, places?.[last] ?? last);
  }
  return masked + text.slice(end);
}

/** An escape at the end of a text, which may be incomplete. */
const CUT_ESCAPE = /(?:\\{1,9}|[%&])[#\w]{0,9}$/;

/** A text that was cut, without its end as far as that may be the beginning of a token. */
function withoutBeginning(text: string, forms: readonly string[]): string {
  const whole = text.replace(CUT_ESCAPE, "");
  const { text: decoded, places } = decode(whole);
  const lower = lowerCase(decoded.replace(CUT_ESCAPE, ""));
  let from = lower.length;
  for (const form of forms) {
    let { length } = form;
    while (!lower.endsWith(form.slice(0, length))) length--;
    from = Math.min(from, lower.length - length);
  }
  return whole.slice(0, places?.[from] ?? from);
}

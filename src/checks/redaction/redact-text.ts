import { type Decoded, decode } from "./escapes.ts";

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
  const forms = [...new Set(tokens.flatMap(formsOf))].filter(Boolean);
  const longest = Math.max(0, ...forms.map(({ length }) => length));
  return (text, maxLength = Number.POSITIVE_INFINITY, isCut = false) => {
    // A token at the end of what is kept is found whole, but not one at the end of what is read.
    const start = text.slice(0, maxLength + longest);
    const isEndCut = isCut || start.length < text.length;
    const whole = isEndCut ? start.replace(CUT_ESCAPE, "") : start;
    const spans: Span[] = [];
    let end = whole.length;
    // What stands before a token may look like the beginning of an escape: each step of the decoding is searched.
    for (let decoded: Decoded | undefined = { text: whole }; decoded; decoded = decode(decoded)) {
      const lower = lowerCase(decoded.text);
      for (const form of forms) if (form.length >= bareLength) addOccurrences(spans, form, lower, decoded.places);
      addAfterBearer(spans, forms, lower, decoded);
      if (isEndCut) end = Math.min(end, placeOf(beginningAt(forms, lower), decoded.places));
    }
    const kept = mask(whole.slice(0, end), spans).slice(0, maxLength);
    // A copy: V8's slice would keep the whole text in memory.
    return kept.length < text.length ? [...kept].join("") : kept;
  };
}

/** A token in lower case, as it is and at each step of its own decoding. */
function formsOf(token: string): string[] {
  const forms: string[] = [];
  for (let decoded: Decoded | undefined = { text: token }; decoded; decoded = decode(decoded)) {
    forms.push(lowerCase(decoded.text));
  }
  return forms;
}

/** In lower case, with as many characters: of all others, only this one becomes two. */
function lowerCase(text: string): string {
  return text.replaceAll("\u0130", "i").toLowerCase();
}

/** Where a token begins and ends. */
type Span = readonly [from: number, to: number];
type Places = Decoded["places"];

function placeOf(index: number, places: Places): number {
  return places?.[index] ?? index;
}

function add(spans: Span[], from: number, length: number, places: Places): void {
  spans.push([placeOf(from, places), placeOf(from + length, places)]);
}

function addOccurrences(spans: Span[], form: string, lower: string, places: Places): void {
  for (let from = lower.indexOf(form); from >= 0; from = lower.indexOf(form, from + form.length)) {
    add(spans, from, form.length, places);
  }
}

const SCHEME = /bearer[\s+]+/g;
/**
 * An auth-param, as in `error_description="…"`, whose `=` or quote may be escaped; or in its place a token68 of 16
 * characters (RFC 9110, section 11).
 */
const PARAM_OR_TOKEN = /^(?:[a-z_-]+\s*(?:=\s*["\w\\&%]|[\\&%])|([\w.~+/-]{16,}=*))/;

/** Adds the tokens after `Bearer`: those that are known, and any long word. */
function addAfterBearer(spans: Span[], forms: readonly string[], lower: string, { text, places }: Decoded): void {
  SCHEME.lastIndex = 0;
  while (SCHEME.test(lower)) {
    const from = SCHEME.lastIndex;
    for (const form of forms) if (lower.startsWith(form, from)) add(spans, from, form.length, places);
    const [, token = ""] = PARAM_OR_TOKEN.exec(text.slice(from)) ?? [];
    if (token) add(spans, from, token.length, places);
    // It is read once: it may have `bearer+` in it many times.
    SCHEME.lastIndex = from + token.length;
  }
}

function mask(text: string, spans: Span[]): string {
  let masked = "";
  let end = 0;
  for (const [from, to] of spans.sort(([one], [other]) => one - other)) {
    if (from >= end) masked += text.slice(end, from) + MASK;
    end = Math.max(end, to);
  }
  return masked + text.slice(end);
}

/** An escape at the end of a text, which may be incomplete. */
const CUT_ESCAPE = /(?:\\{1,9}|[%&])[#\w]{0,9}$/;

/** Where the end of a text that was cut may be the beginning of a token. */
function beginningAt(forms: readonly string[], lower: string): number {
  const text = lower.replace(CUT_ESCAPE, "");
  const lengths = forms.map((form) => {
    let { length } = form;
    while (!text.endsWith(form.slice(0, length))) length--;
    return length;
  });
  return text.length - Math.max(0, ...lengths);
}

import { isRecord } from "../../src/checks/schema.ts";
import { exactId, LINE_END, type ListEntry, linesOf, shorten } from "./list-entry.ts";
import { UsageError } from "./usage-error.ts";

/** Reads one JSON object per line. */
export function* readNdjsonList(text: string): Generator<ListEntry> {
  for (const entry of linesOf(text)) yield readObject(entry);
}

/**
 * Reads the elements of a JSON array from its text, so that each has its place and its exact id.
 *
 * @throws {@link UsageError} if the text is not one complete array.
 */
export function* readJsonList(text: string): Generator<ListEntry> {
  let depth = 0;
  let line = 1;
  let isOver = false;
  let isString = false;
  let isEscaped = false;
  let count = 0;
  let element: { readonly place: string; readonly start: number } | undefined;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const isBlank = token.trim() === "";
    if (depth === 0 && !isBlank) {
      if (isOver) throw new UsageError(`line ${line}: unexpected text after the JSON array`);
      if (token !== "[") {
        const received = shorten(text.split(LINE_END)[line - 1] as string);
        throw new UsageError(`line ${line}: must be a JSON array of plants; received: ${received}`);
      }
      depth = 1;
    } else if (depth === 1 && !isString && (token === "," || token === "]")) {
      if (element) yield readObject({ place: element.place, text: text.slice(element.start, index) });
      else if (token === "," || count > 0) yield readObject({ place: `[${count++}] (line ${line})`, text: token });
      element = undefined;
      isOver = token === "]";
      depth = isOver ? 0 : 1;
    } else if (element || !isBlank) {
      element ??= { place: `[${count++}] (line ${line})`, start: index };
      if (token === '"' && !isEscaped) isString = !isString;
      isEscaped = isString && token === "\\" && !isEscaped;
      if (!isString) depth = Math.max(1, depth + (DEPTHS[token] ?? 0));
    }
    const lineEnds = isBlank ? token.split(LINE_END).length - 1 : 0;
    line += lineEnds;
    // JSON has no line ends in strings: one that is not closed affects only its own line.
    if (lineEnds > 0) isString = false;
  }
  if (!isOver)
    throw new UsageError(
      depth === 0 ? "must be a JSON array of plants; the file is empty" : "the JSON array is not closed",
    );
}

/**
 * A character that means something outside or inside a string; white space; or any other text. Every character matches.
 * A pattern for whole strings would repeat a group, which overflows V8's stack on millions of escapes.
 */
const TOKENS = /["\\[\]{},]|\s+|[^\s"\\[\]{},]+/g;
const DEPTHS: Record<string, number> = { "[": 1, "{": 1, "]": -1, "}": -1 };

/**
 * The digits of an id, before `JSON.parse` rounds them. An escaped quote is inside a string, so it does not start a key.
 * If the colon has more than nine spaces on one side, a large id is rounded, and then rejected as not a safe integer.
 */
const ID = /\\"|"id"\s{0,9}:\s{0,9}(-?\d[\d.eE+-]*)/g;

function quoteDigits(match: string, digits: string | undefined): string {
  // `007` is not JSON: JSON.parse refuses it.
  return digits === undefined || /^-?0\d/.test(digits) ? match : `"id":"${digits}"`;
}

function readObject(entry: ListEntry): ListEntry {
  let value: unknown;
  try {
    value = JSON.parse(entry.text.replace(ID, quoteDigits));
  } catch {
    const isMissing = /^[,\]]$/.test(entry.text);
    return { ...entry, problem: isMissing ? "is missing; remove the extra comma" : "must be one JSON object" };
  }
  if (!isRecord(value) || typeof value.id !== "string") return { ...entry, value };
  return { ...entry, value: { ...value, id: exactId(value.id) } };
}

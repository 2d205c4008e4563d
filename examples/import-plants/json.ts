import { BadRowError, exactId, LINE_END, MAX_LENGTH, type Row, type RowReader, shorten } from "./row.ts";

/** The text of an id, before `JSON.parse` rounds it. Inside a string the quotes around `id` would be escaped. */
const ID = /(?<!\\)"id"\s*:\s*(-?(?:0(?!\d)|[1-9])[\d.eE+-]*)/g;

/** Reads one JSON object, with its id exact to the last digit. */
export function createJsonReader(): RowReader {
  return (text) => {
    const row = parse(text.replace(ID, '"id":"$1"'));
    if (typeof row !== "object" || row === null || !("id" in row) || typeof row.id !== "string") return row;
    return { ...row, id: exactId(row.id) };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const isMissing = /^[,\]]$/.test(text);
    throw new BadRowError(isMissing ? "is missing; remove the extra comma" : "must be one JSON object");
  }
}

/** An element of an array, while it is read. */
class Element {
  readonly #parts: string[] = [];
  #length = 0;

  add(token: string): void {
    // More would only be refused.
    if (this.#length <= MAX_LENGTH) this.#parts.push(token);
    this.#length += token.length;
  }

  toString(): string {
    return this.#parts.join("");
  }
}

/**
 * Splits a JSON array into its elements while it is read. It may be one long line.
 *
 * @param pieces - The text, in pieces that do not end within a CRLF.
 * @throws Error if the text is not one whole array.
 */
export async function* splitArray(pieces: AsyncIterable<string>): AsyncGenerator<Row> {
  let place: "before" | "in" | "after" = "before";
  let line = 1;
  let number = 0;
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let element: Element | undefined;
  for await (const piece of pieces) {
    for (const { 0: token, index } of piece.matchAll(TOKENS)) {
      const isBlank = token.trim() === "";
      if (place === "after" && !isBlank) throw new Error(`line ${line}: unexpected text after the JSON array`);
      if (place === "before" && !isBlank && token !== "[") {
        throw new Error(`line ${line}: must be a JSON array of plants; received: ${shorten(piece.slice(index))}`);
      }
      if (token === '"' && !isEscaped) isString = !isString;
      isEscaped = isString && token === "\\" && !isEscaped;
      if (LINE_END.test(token)) {
        line += token.split(LINE_END).length - 1;
        // No string of JSON goes on in the next line: one that is not closed costs as little of the list as possible.
        isString = false;
      }
      if (place !== "in") {
        if (token === "[") place = "in";
      } else if (depth === 0 && !isString && (token === "," || token === "]")) {
        if (element) yield { number, text: `${element}`.trim() };
        else if (token === "," || number > 0) yield { number: ++number, text: token };
        element = undefined;
        if (token === "]") place = "after";
      } else if (element || !isBlank) {
        if (!element) number++;
        element ??= new Element();
        element.add(token);
        if (!isString) depth = Math.max(0, depth + (DEPTHS[token] ?? 0));
      }
    }
  }
  if (place === "before") throw new Error("must be a JSON array of plants; the file is empty");
  if (place === "in") throw new Error("the JSON array is not closed");
}

/** A character that means something outside or inside a string; line ends; anything between. */
const TOKENS = /["\\[\]{},]|[\r\n]+|[^"\\[\]{},\r\n]+/g;
const DEPTHS: Record<string, number> = { "[": 1, "{": 1, "]": -1, "}": -1 };

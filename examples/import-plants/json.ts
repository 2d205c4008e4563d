import { BadLineError, exactId, type Row, type RowReader, shorten } from "./row.ts";

/** The text of an id, before `JSON.parse` rounds it. Inside a string the quotes around `id` would be escaped. */
const ID = /(?<!\\)"id"\s*:\s*(-?\d[\d.eE+-]*)/g;

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
    throw new BadLineError("must be one JSON object");
  }
}

/**
 * Splits a JSON array into its elements while it is read, each with the line that it begins in.
 *
 * @throws Error if the text is not one whole array.
 */
export async function* splitArray(lines: AsyncIterable<Row>): AsyncGenerator<Row> {
  let place: "before" | "in" | "after" = "before";
  let depth = 0;
  let element: Row | undefined;
  for await (const { line, text } of lines) {
    for (const [token] of `${text}\n`.matchAll(TOKENS)) {
      const isBlank = token.trim() === "";
      if (place === "after" && !isBlank) throw new Error(`line ${line}: unexpected text after the JSON array`);
      if (place === "before" && !isBlank && token !== "[") {
        throw new Error(`line ${line}: must be a JSON array of plants; received: ${shorten(text)}`);
      }
      if (place !== "in") {
        if (token === "[") place = "in";
      } else if (depth === 0 && (token === "," || token === "]")) {
        if (element) yield element;
        element = undefined;
        if (token === "]") place = "after";
      } else if (element || !isBlank) {
        element = { line: element?.line ?? line, text: (element?.text ?? "") + token };
        depth = Math.max(0, depth + (DEPTHS[token] ?? 0));
      }
    }
  }
  if (place === "before") throw new Error("must be a JSON array of plants; the file is empty");
  if (place === "in") throw new Error("the JSON array is not closed");
}

/** A string, closed or not; a bracket, brace or comma; blanks; anything between. Every character is in a token. */
const TOKENS = /"(?:[^"\\]+|\\.)*"?|[[\]{},]|\s+|[^\s"[\]{},]+/g;
const DEPTHS: Record<string, number> = { "[": 1, "{": 1, "]": -1, "}": -1 };

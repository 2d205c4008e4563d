import { BadLineError, exactId, type RowReader } from "./row.ts";

/** The text of an id, before `JSON.parse` rounds it. Inside a string the quotes around `id` would be escaped. */
const ID = /(?<!\\)"id"\s*:\s*(-?\d[\d.eE+-]*)/g;

/** Reads one JSON object a line, with ids exact to the last digit. */
export function createNdjsonReader(): RowReader {
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

import { createReadStream } from "node:fs";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import { type NewPlant, newPlantSchema } from "plant-store-client";
import { createCsvReader } from "./csv.ts";
import { createNdjsonReader } from "./ndjson.ts";
import { BadLineError, type RowReader } from "./row.ts";

/** A line of the list: a plant, or what is wrong with it. */
export type ListLine = { line: number; plant: NewPlant } | { line: number; problem: string };

/** What a file holds, by the end of its name. */
export const formats: Record<string, () => RowReader> = {
  ".csv": createCsvReader,
  ".ndjson": createNdjsonReader,
  ".jsonl": createNdjsonReader,
};

/**
 * Reads a list of plants as a stream: a list of any length takes little memory.
 *
 * @throws Error where a CSV file has no header, and what the file system says of a file that cannot be read.
 * A bad line does not throw, it is yielded with its problem.
 */
export async function* readList(file: string): AsyncGenerator<ListLine> {
  const readRow = formats[extname(file).toLowerCase()]?.();
  if (!readRow) throw new TypeError(`no format is known for ${file}`);
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file, "utf8") })) {
    line++;
    const content = line === 1 ? text.replace(/^\uFEFF/, "") : text;
    if (content.trim() === "") continue;
    const read = readLine(content, readRow);
    if (read) yield { line, ...read };
  }
}

function readLine(text: string, readRow: RowReader): { plant: NewPlant } | { problem: string } | undefined {
  if (text.includes("\uFFFD")) return { problem: "holds bytes that are not UTF-8: save the list as UTF-8" };
  try {
    const row = readRow(text);
    return row === undefined ? undefined : check(row);
  } catch (error) {
    if (error instanceof BadLineError) return { problem: error.message };
    throw error;
  }
}

/** The client would refuse the same rows; here they get their line number before anything is sent. */
function check(row: unknown): { plant: NewPlant } | { problem: string } {
  const result = newPlantSchema["~standard"].validate(row);
  if (!result.issues) return { plant: result.value };
  return { problem: result.issues.map(({ path, message }) => [...path, message].join(" ")).join("; ") };
}

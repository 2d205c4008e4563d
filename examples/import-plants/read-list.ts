import { statSync } from "node:fs";
import { extname } from "node:path";
import { type NewPlant, newPlantTextSchema } from "plant-store-client";
import { FIELDS, type RawRecord, readCsv } from "./read-csv.ts";
import { checkEncoding, MAX_LINE_LENGTH, readLines, shorten } from "./read-lines.ts";

/** A record of the list, by the number of its first line: a plant, or the reason why the record holds none. */
export type Line = { readonly number: number; readonly text: string; readonly unknownColumns: readonly string[] } & (
  | { readonly plant: NewPlant }
  | { readonly problem: string }
);

/** Finds the records in the lines of a file. */
type RecordReader = (lines: AsyncGenerator<string>) => AsyncGenerator<RawRecord>;

const formats: Record<string, RecordReader> = { ".csv": readCsv, ".ndjson": readNdjson };

/**
 * Reads a list of plants as a stream, so that a list of any length takes little memory.
 *
 * @throws Error at once if there is no such file, or if it is of another format or encoding; later if it cannot be read to its
 * end, or is a CSV file without a header. A bad record does not throw; it is yielded with its problem.
 */
export function readList(file: string): AsyncIterable<Line> {
  const readRecords = formats[extname(file).toLowerCase()];
  if (!readRecords) throw new Error(`${file}: must end in ${Object.keys(formats).join(" or ")}`);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(`there is no file ${file}`);
  checkEncoding(file);
  return checkRecords(readRecords(readLines(file)));
}

/** The number of lines that are not blank, as a measure of progress: a header and line breaks within cells count, too. */
export async function countLines(file: string): Promise<number> {
  let count = 0;
  for await (const text of readLines(file)) if (text.trim() !== "") count++;
  return count;
}

async function* checkRecords(records: AsyncGenerator<RawRecord>): AsyncGenerator<Line> {
  for await (const record of records) {
    const text = record.text.trimEnd();
    const line = { number: record.number, text, ...checkRecord(record) };
    yield "plant" in line ? line : { ...line, problem: `${line.problem}; received: ${shorten(text)}` };
  }
}

/** The client would refuse the same records; here they get their number before anything is sent. */
function checkRecord(record: RawRecord) {
  if (record.text.length > MAX_LINE_LENGTH) return { problem: "is longer than 1 MB", unknownColumns: [] };
  if ("problem" in record) return { problem: record.problem, unknownColumns: [] };
  const unknownColumns = Object.keys(record.columns ?? {}).filter((column) => !FIELDS.includes(column));
  if (record.text.includes("\uFFFD")) return { problem: "contains bytes that are not UTF-8", unknownColumns };
  const result = newPlantTextSchema["~standard"].validate(record.columns);
  if (!result.issues) return { plant: result.value, unknownColumns };
  return {
    problem: result.issues.map(({ path, message }) => [...path, message].join(" ")).join("; "),
    unknownColumns,
  };
}

/**
 * The digits of an id, which become a text before `JSON.parse` rounds them: 9007199254740993 would be 9007199254740992, the
 * id of another plant. Inside a string, the quotes around `id` would be escaped.
 */
const ID = /(?<!\\)"id"\s*:\s*(-?(?:0|[1-9]\d*))(?=\s*[,}])/g;

async function* readNdjson(lines: AsyncGenerator<string>): AsyncGenerator<RawRecord> {
  let number = 0;
  for await (const text of lines) {
    number++;
    if (text.trim() !== "") yield { number, text, ...readJson(text) };
  }
}

function readJson(text: string) {
  try {
    return { columns: JSON.parse(text.replace(ID, '"id":"$1"')) };
  } catch {
    return { problem: "must be one JSON object" };
  }
}

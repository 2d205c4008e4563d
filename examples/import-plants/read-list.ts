import { type FileHandle, open } from "node:fs/promises";
import { extname } from "node:path";
import { type NewPlant, newPlantSchema } from "plant-store-client";
import { createCsvReader } from "./csv.ts";
import { createJsonReader, splitArray } from "./json.ts";
import { BadRowError, LINE_END, MAX_LENGTH, type Row, type RowReader, shorten } from "./row.ts";

/** The content of a row: a plant, and columns that are not sent; or its problem. */
type RowContent = ({ plant: NewPlant } | { problem: string }) & { unknownColumns?: readonly string[] };

/** A row of the list, by its number. */
export type ListRow = { number: number } & RowContent;

/** An open list. To dispose of it closes the file, which happens by itself at the end of the rows. */
export interface PlantList extends AsyncDisposable {
  readonly file: string;
  /** What a row is, for messages: `line 4`. */
  readonly unit: "line" | "element";
  /** Can be read once. */
  readonly rows: AsyncIterable<ListRow>;
}

interface Format {
  readonly unit: PlantList["unit"];
  readonly createReader: () => RowReader;
  readonly split: (pieces: AsyncIterable<string>) => AsyncIterable<Row>;
}

/** What a file holds, by the end of its name. */
export const formats: Record<string, Format> = {
  ".csv": { unit: "line", createReader: createCsvReader, split: splitLines },
  ".ndjson": { unit: "line", createReader: createJsonReader, split: splitLines },
  ".jsonl": { unit: "line", createReader: createJsonReader, split: splitLines },
  ".json": { unit: "element", createReader: createJsonReader, split: splitArray },
};

/**
 * Opens a list of plants and reads it as a stream: a list of any length takes little memory.
 *
 * @throws Error when the file cannot be opened. The iteration of `rows` throws when it cannot be read to its end, a CSV
 * file has no header, or a JSON file holds no array. A bad row does not throw, it is yielded with its problem.
 */
export async function openList(file: string): Promise<PlantList> {
  const format = formats[extname(file).toLowerCase()];
  if (!format) throw new TypeError(`no format is known for ${file}`);
  try {
    const handle = await open(file);
    const list = {
      file,
      unit: format.unit,
      rows: readRows(handle, format),
      [Symbol.asyncDispose]: () => handle.close(),
    };
    if (!(await handle.stat()).isDirectory()) return list;
    await handle.close();
    throw new Error("it is a folder");
  } catch (error) {
    throw new Error(`${file}: cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

async function* readRows(handle: FileHandle, { createReader, split }: Format): AsyncGenerator<ListRow> {
  const readRow = createReader();
  for await (const { number, text } of split(splitText(handle))) {
    const read = readOne(text, readRow);
    if (read && "problem" in read) yield { number, ...read, problem: `${read.problem}; received: ${shorten(text)}` };
    else if (read) yield { number, ...read };
  }
}

/** The lines that are not blank. Node's readline would also end a line at U+2028, which a JSON string may hold. */
async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<Row> {
  let number = 0;
  let rest = "";
  for await (const piece of pieces) {
    const [first = "", ...others] = piece.split(LINE_END);
    // More would only be refused.
    if (rest.length <= MAX_LENGTH) rest += first;
    for (const next of others) {
      number++;
      if (rest.trim() !== "") yield { number, text: rest };
      rest = next;
    }
  }
  if (rest.trim() !== "") yield { number: number + 1, text: rest };
}

/** How UTF-16 and UTF-32 begin if they are decoded as UTF-8: with a byte order mark, or with an ASCII character. */
const UTF16_START = /^(\uFFFD{2}|.?\0)/s;

/** The text of a file in pieces, none of which ends within a CRLF. */
async function* splitText(handle: FileHandle): AsyncGenerator<string> {
  let held: string | undefined;
  for await (const chunk of handle.createReadStream({ encoding: "utf8" })) {
    if (held === undefined && UTF16_START.test(chunk))
      throw new Error("the file is UTF-16 or UTF-32; save it as UTF-8");
    const text = held === undefined ? chunk.replace(/^\uFEFF/, "") : held + chunk;
    held = text.endsWith("\r") ? "\r" : "";
    yield held === "" ? text : text.slice(0, -1);
  }
  yield held ?? "";
}

function readOne(text: string, readRow: RowReader): RowContent | undefined {
  try {
    if (text.length > MAX_LENGTH) throw new BadRowError(`is longer than ${MAX_LENGTH} characters`);
    const row = readRow(text);
    if (row === undefined) return undefined;
    if (text.includes("\uFFFD")) return { problem: "contains bytes that are not UTF-8; save the list as UTF-8" };
    return check(row);
  } catch (error) {
    if (error instanceof BadRowError) return { problem: error.message };
    throw error;
  }
}

/** The client would refuse the same rows; here they get their line number before anything is sent. */
function check(row: unknown): RowContent {
  const result = newPlantSchema["~standard"].validate(row);
  const unknownColumns = columnsOf(row)
    .filter((column) => !["id", "name", "tag"].includes(column))
    .map(shorten);
  if (!result.issues) return { plant: result.value, unknownColumns };
  const problem = result.issues.map(({ path, message }) => [...path, message].join(" ")).join("; ");
  return { problem, unknownColumns };
}

function columnsOf(row: unknown): string[] {
  return typeof row === "object" && row !== null && !Array.isArray(row) ? Object.keys(row) : [];
}

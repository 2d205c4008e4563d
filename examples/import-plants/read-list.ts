import { createReadStream, statSync } from "node:fs";
import { extname } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { type NewPlant, newPlantTextSchema } from "plant-store-client";

/** A line of the list, by its number: a plant, or the reason why the line holds none. */
export type Line = { readonly number: number; readonly text: string; readonly unknownColumns: readonly string[] } & (
  | { readonly plant: NewPlant }
  | { readonly problem: string }
);

/** Reads one line; `undefined` for a line without a plant, such as a header. */
type LineReader = (text: string) => unknown;

/** A line that cannot be read. The rest of the list can. */
class BadLineError extends Error {}

/** The fields of a plant, and the columns that a list may have. */
const FIELDS = ["id", "name", "tag"];

const formats: Record<string, () => LineReader> = { ".csv": createCsvReader, ".ndjson": () => readJson };

/**
 * Reads a list of plants as a stream, so that a list of any length takes little memory.
 *
 * @throws Error at once if there is no such file, or if it is of another format; later if it cannot be read to its end, or
 * is a CSV file without a header. A bad line does not throw; it is yielded with its problem.
 */
export function readList(file: string): AsyncIterable<Line> {
  const createReader = formats[extname(file).toLowerCase()];
  if (!createReader) throw new Error(`${file}: must end in ${Object.keys(formats).join(" or ")}`);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(`there is no file ${file}`);
  return readLines(file, createReader());
}

/** The number of lines with a plant, as a measure of progress: a header and blank lines count, too. */
export async function countLines(file: string): Promise<number> {
  let count = 0;
  for await (const text of linesOf(file)) if (text !== "") count++;
  return count;
}

async function* readLines(file: string, readLine: LineReader): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of linesOf(file)) {
    number++;
    const line = text.trim() === "" ? undefined : checkLine(text, readLine);
    if (!line) continue;
    const read = { number, text: text.trimEnd(), ...line };
    yield "problem" in read ? { ...read, problem: `${read.problem}; received: ${shorten(text)}` } : read;
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const text of createReadStream(file, "utf8")) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

/** The client would refuse the same lines; here they get their number before anything is sent. */
function checkLine(text: string, readLine: LineReader) {
  try {
    const row = readLine(text);
    if (row === undefined) return undefined;
    const unknownColumns = Object.keys(row ?? {}).filter((column) => !FIELDS.includes(column));
    if (text.includes("\uFFFD")) return { problem: "contains bytes that are not UTF-8", unknownColumns };
    const result = newPlantTextSchema["~standard"].validate(row);
    if (!result.issues) return { plant: result.value, unknownColumns };
    return {
      problem: result.issues.map(({ path, message }) => [...path, message].join(" ")).join("; "),
      unknownColumns,
    };
  } catch (error) {
    if (error instanceof BadLineError) return { problem: error.message, unknownColumns: [] };
    throw error;
  }
}

/**
 * Reads CSV one line at a time, so that a quote that is not closed costs its own line and not the rest of the list.
 * The price: a cell cannot hold a line break.
 */
function createCsvReader(): LineReader {
  let header: { readonly columns: string[]; readonly delimiter: string } | undefined;
  return (text) => {
    if (!header) {
      header = readHeader(text);
      return undefined;
    }
    const { columns, delimiter } = header;
    const cells = splitCells(text, delimiter);
    if (cells.every((cell) => cell === "")) return undefined;
    if (cells.length !== columns.length) {
      throw new BadLineError(`has ${cells.length} columns; the header has ${columns.length}`);
    }
    // CSV cannot tell an empty cell from none at all: both mean that the field is absent.
    const fields = columns.map((column, index) => [column, cells[index] || undefined] as const);
    return Object.fromEntries(fields.filter(([column]) => column !== ""));
  };
}

function readHeader(text: string): { columns: string[]; delimiter: string } {
  // Spreadsheets write semicolons if the comma is the decimal sign.
  const delimiter = text.includes(";") ? ";" : ",";
  const columns = splitCells(text.replace(/^\uFEFF/, ""), delimiter).map(toField);
  const isComplete = ["id", "name"].every((field) => columns.filter((column) => column === field).length === 1);
  if (isComplete) return { columns, delimiter };
  throw new Error(`the first line must be a header with one column id and one column name; received: ${shorten(text)}`);
}

/** The field that a column stands for, in upper or lower case; an unknown column keeps its name. */
function toField(column: string): string {
  return FIELDS.find((field) => field === column.toLowerCase()) ?? column;
}

function splitCells(text: string, delimiter: string): string[] {
  try {
    const [cells = []] = parse(text, { delimiter, trim: true });
    return cells;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isUnclosed = error.code === "CSV_QUOTE_NOT_CLOSED";
    throw new BadLineError(isUnclosed ? "has an unclosed quote" : `must be one line of CSV (${error.code})`);
  }
}

/**
 * The digits of an id, which become a text before `JSON.parse` rounds them: 9007199254740993 would be 9007199254740992, the
 * id of another plant. Inside a string, the quotes around `id` would be escaped.
 */
const ID = /(?<!\\)"id"\s*:\s*(-?(?:0|[1-9]\d*))(?=\s*[,}])/g;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(ID, '"id":"$1"'));
  } catch {
    throw new BadLineError("must be one JSON object");
  }
}

/** One line of at most 100 characters, in which nothing controls the terminal. */
export function shorten(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

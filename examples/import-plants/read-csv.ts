import { CsvError, parse } from "csv-parse/sync";
import { MAX_LINE_LENGTH, shorten } from "./read-lines.ts";

/** A record as it is written, with its columns or the reason why it has none. */
export type RawRecord = { readonly number: number; readonly text: string } & (
  | { readonly columns: unknown }
  | { readonly problem: string }
);

/** The fields of a plant, and the columns that a list may have. */
export const FIELDS = ["id", "name", "tag"];

/**
 * Reads CSV. A record goes on with the next line while a quote is open, so a cell may hold line breaks. A record that cannot
 * be read costs its first line only: reading goes on with its second one, because a quote that is never closed would cost the
 * rest of the list.
 */
export async function* readCsv(lines: AsyncGenerator<string, undefined>): AsyncGenerator<RawRecord> {
  /** Lines to read again, in reverse. */
  const again: string[] = [];
  const takeLine = async () => again.pop() ?? (await lines.next()).value;
  let header: Header | undefined;
  let number = 1;
  try {
    for (let line = await takeLine(); line !== undefined; line = await takeLine()) {
      const taken = [line];
      const cells = await readCells(taken, takeLine, header?.delimiter ?? delimiterOf(line));
      if (cells instanceof CsvError) again.push(...taken.splice(1).reverse());
      const record = { number, text: taken.join("") };
      number += taken.length;
      if (record.text.trim() === "") continue;
      if (!header) header = readHeader(cells, line);
      else if (!isBlank(cells)) yield { ...record, ...toColumns(cells, header) };
    }
  } finally {
    await lines.return(undefined);
  }
}

type Cells = readonly string[] | CsvError;

/** Splits the record that begins with the first taken line, and takes those that belong to it. */
async function readCells(
  taken: string[],
  takeLine: () => Promise<string | undefined>,
  delimiter: string,
): Promise<Cells> {
  let text = taken.join("");
  let cells = splitCells(text, delimiter);
  while (isUnclosed(cells) && text.length <= MAX_LINE_LENGTH) {
    const line = await takeLine();
    if (line === undefined) break;
    taken.push(line);
    text += line;
    // Quotes within a cell are doubled, so only an odd number of them can close it.
    if (line.split('"').length % 2 === 0) cells = splitCells(text, delimiter);
  }
  return cells;
}

function splitCells(text: string, delimiter: string): Cells {
  try {
    const [cells = []] = parse(text.replace(/[\r\n]+$/, ""), { delimiter, trim: true });
    return cells;
  } catch (error) {
    if (error instanceof CsvError) return error;
    throw error;
  }
}

function isUnclosed(cells: Cells): boolean {
  return cells instanceof CsvError && cells.code === "CSV_QUOTE_NOT_CLOSED";
}

function isBlank(cells: Cells): boolean {
  return !(cells instanceof CsvError) && cells.every((cell) => cell === "");
}

/** The field that each column stands for, and what separates the cells. */
interface Header {
  readonly columns: readonly string[];
  readonly delimiter: string;
}

/** Spreadsheets write semicolons if the comma is the decimal sign. */
function delimiterOf(line: string): string {
  return line.includes(";") ? ";" : ",";
}

function readHeader(cells: Cells, line: string): Header {
  const names = cells instanceof CsvError ? [] : cells;
  const columns = names.map(toField);
  for (const field of FIELDS) {
    const same = names.filter((_, index) => columns[index] === field);
    if (same.length > 1) throw new Error(`the header has ${same.length} columns for ${field}: ${same.join(", ")}`);
  }
  if (columns.includes("id") && columns.includes("name")) return { columns, delimiter: delimiterOf(line) };
  throw new Error(`the first line must be a header with one column id and one column name; received: ${shorten(line)}`);
}

/** The field that a column stands for, in upper or lower case; an unknown column keeps its name. */
function toField(column: string): string {
  return FIELDS.find((field) => field === column.toLowerCase()) ?? column;
}

function toColumns(cells: Cells, { columns }: Header) {
  if (isUnclosed(cells)) return { problem: "has an unclosed quote" };
  if (cells instanceof CsvError) return { problem: `must be CSV (${cells.code})` };
  if (cells.length !== columns.length) {
    return { problem: `has ${cells.length} columns; the header has ${columns.length}` };
  }
  // CSV cannot tell an empty cell from none at all: both mean that the field is absent.
  const fields = columns.map((column, index) => [column, cells[index] || undefined] as const);
  return { columns: Object.fromEntries(fields.filter(([column]) => column !== "")) };
}

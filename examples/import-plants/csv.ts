import { CsvError, parse } from "csv-parse/sync";
import { BadLineError, exactId, type RowReader } from "./row.ts";

/**
 * Reads CSV one line at a time, so that a quote that is not closed costs its own line and not the rest of the list.
 * The price: a cell cannot hold a line break.
 */
export function createCsvReader(): RowReader {
  let header: Header | undefined;
  return (text) => {
    if (header) return toRow(header, split(text, header.delimiter));
    header = readHeader(text);
    return undefined;
  };
}

interface Header {
  readonly columns: string[];
  readonly delimiter: string;
}

function readHeader(text: string): Header {
  // Spreadsheets write semicolons where the comma is the decimal sign.
  const delimiter = text.includes(";") ? ";" : ",";
  const columns = split(text, delimiter).map((column) => column.toLowerCase());
  if (columns.includes("id") && columns.includes("name")) return { columns, delimiter };
  throw new Error(`the first line must be a header that names the columns id and name, and is: ${text}`);
}

function split(text: string, delimiter: string): string[] {
  try {
    const [cells = []] = parse(text, { delimiter, trim: true });
    return cells;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BadLineError(problems[error.code] ?? `must be one line of CSV (${error.code})`);
  }
}

const problems: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "has a quote that is not closed",
  INVALID_OPENING_QUOTE: 'has a quote inside a cell: put the cell in quotes, and write "" for the one inside',
};

function toRow({ columns }: Header, cells: string[]): Record<string, unknown> | undefined {
  if (cells.length > columns.length) {
    throw new BadLineError(`has ${cells.length} columns, the header has ${columns.length}`);
  }
  // CSV cannot tell an empty cell from none at all: both mean that the field is absent.
  const filled = columns.flatMap((column, index) => (cells[index] ? [[column, cells[index]] as const] : []));
  if (filled.length === 0) return undefined;
  const row: Record<string, unknown> = Object.fromEntries(filled);
  if (typeof row.id === "string") row.id = exactId(row.id);
  return row;
}

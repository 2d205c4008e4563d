import { CsvError, parse } from "csv-parse/sync";
import { BadRowError, exactId, type RowReader, shorten } from "./row.ts";

/**
 * Reads CSV one line at a time, so that a quote that is not closed costs its own line and not the rest of the list.
 * The price: a cell cannot hold a line break.
 */
export function createCsvReader(): RowReader {
  let header: Header | undefined;
  // The lines that follow may be the rest of a cell with line breaks, until one has all columns.
  let isQuoteOpen = false;
  return (text) => {
    if (!header) {
      header = readHeader(text);
      return undefined;
    }
    const { columns, delimiter } = header;
    const cells = split(text, delimiter, () => {
      isQuoteOpen = true;
    });
    if (isQuoteOpen && cells.length < columns.length) {
      throw new BadRowError(`has ${cells.length} columns, after an unclosed quote; a cell cannot hold a line break`);
    }
    isQuoteOpen = false;
    return toRow(header, cells);
  };
}

interface Header {
  readonly columns: string[];
  readonly delimiter: string;
}

function readHeader(text: string): Header {
  // Spreadsheets write semicolons if the comma is the decimal sign. One within quotes belongs to a name.
  const delimiter = text.replace(/"[^"]*"/g, "").includes(";") ? ";" : ",";
  const columns = splitHeader(text, delimiter).map(toField);
  const lastAt = new Map(columns.map((column, index) => [column, index]));
  const twice = columns.find((column, index) => column !== "" && lastAt.get(column) !== index);
  if (twice !== undefined) throw new Error(`the header names the column "${twice}" twice`);
  if (columns.includes("id") && columns.includes("name")) return { columns, delimiter };
  throw new Error(`the first line must be a header with the columns id and name; received: ${shorten(text)}`);
}

function splitHeader(text: string, delimiter: string): string[] {
  try {
    return split(text, delimiter);
  } catch {
    return [];
  }
}

/** The field that a column stands for, in upper or lower case; an unknown column keeps its name. */
function toField(column: string): string {
  return ["id", "name", "tag"].find((field) => field === column.toLowerCase()) ?? column;
}

function split(text: string, delimiter: string, onOpenQuote?: () => void): string[] {
  try {
    const [cells = []] = parse(text, { delimiter, trim: true });
    return cells;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === "CSV_QUOTE_NOT_CLOSED") onOpenQuote?.();
    throw new BadRowError(problems[error.code] ?? `must be one line of CSV (${error.code})`);
  }
}

const QUOTE_INSIDE = 'has a quote inside a cell; enclose the cell in quotes, and double the inner quote ("")';
const problems: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "has an unclosed quote",
  INVALID_OPENING_QUOTE: QUOTE_INSIDE,
  CSV_INVALID_CLOSING_QUOTE: QUOTE_INSIDE,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: QUOTE_INSIDE,
};

function toRow({ columns }: Header, cells: string[]): Record<string, unknown> | undefined {
  if (cells.length > columns.length) {
    throw new BadRowError(`has ${cells.length} columns; the header has ${columns.length}`);
  }
  if (cells.every((cell) => cell === "")) return undefined;
  // CSV cannot tell an empty cell from none at all: both mean that the field is absent.
  // By cell, because a line may have far fewer cells than the header has columns.
  const named = cells.map((cell, index) => [columns[index] as string, cell || undefined] as const);
  const row: Record<string, unknown> = Object.fromEntries(named.filter(([column]) => column !== ""));
  if (typeof row.id === "string") row.id = exactId(row.id);
  return row;
}

import { NEW_PLANT_NAMES } from "../../src/contract/plant.ts";
import { exactId, type ListEntry, linesOf, shorten } from "./list-entry.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Reads CSV line by line, so that an unclosed quote affects only its own line. As a result, a cell cannot contain a
 * line break.
 *
 * @throws {@link UsageError} if the first line is not a header.
 */
export function* readCsvList(text: string): Generator<ListEntry> {
  let header: Header | undefined;
  for (const entry of linesOf(text)) {
    if (!header) header = readHeader(entry.text);
    else {
      const { cells, problem } = splitCells(entry.text, header.delimiter);
      if (problem !== undefined) yield { ...entry, problem };
      else if (cells.length > header.columns.length) {
        yield { ...entry, problem: `has ${cells.length} columns; the header has ${header.columns.length}` };
      } else if (cells.some((cell) => cell !== "")) yield { ...entry, value: toValue(header.columns, cells) };
    }
  }
}

interface Header {
  readonly columns: readonly string[];
  readonly delimiter: string;
}

function readHeader(text: string): Header {
  // Spreadsheets write semicolons where the comma is the decimal sign. One within quotes belongs to a name.
  const delimiter = text.replace(/"[^"]*"/g, "").includes(";") ? ";" : ",";
  const { cells, problem } = splitCells(text, delimiter);
  const columns = cells.map(toField);
  const lastAt = new Map(columns.map((column, index) => [column, index]));
  const twice = columns.find((column, index) => column !== "" && lastAt.get(column) !== index);
  if (twice !== undefined) throw new UsageError(`the header names the column "${twice}" twice`);
  if (problem === undefined && columns.includes("id") && columns.includes("name")) return { columns, delimiter };
  throw new UsageError(`the first line must be a header with the columns id and name; received: ${shorten(text)}`);
}

/** The field of a column, ignoring case; an unknown column keeps its name. */
function toField(column: string): string {
  return NEW_PLANT_NAMES.find((field) => field === column.toLowerCase()) ?? column;
}

/** An empty or missing cell means that the field is absent. */
function toValue(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  // By cell, because a line may have far fewer cells than the header has columns.
  const named = cells.map((cell, index) => [columns[index] as string, cell || undefined] as const);
  const value: Record<string, unknown> = Object.fromEntries(named.filter(([column]) => column !== ""));
  if (typeof value.id === "string") value.id = exactId(value.id);
  return value;
}

function splitCells(text: string, delimiter: string): { cells: string[]; problem?: string } {
  const bare = BARE[delimiter] as RegExp;
  const bareFrom = (index: number) => {
    bare.lastIndex = index;
    return (bare.exec(text) as RegExpExecArray)[0];
  };
  const cells: string[] = [];
  for (let at = 0; at <= text.length; at++) {
    const before = bareFrom(at);
    at += before.length;
    let cell = before.trim();
    if (text[at] === '"') {
      const end = closingQuote(text, at);
      if (end === -1) return { cells, problem: "has an unclosed quote" };
      const after = bareFrom(end + 1);
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1 + after.length;
      if (`${before}${after}`.trim() !== "" || text[at] === '"') {
        return {
          cells,
          problem: 'has a quote inside a cell; enclose the cell in quotes, and double the inner quote ("")',
        };
      }
    }
    cells.push(cell);
  }
  return { cells };
}

/** The text up to the next quote or delimiter, for each delimiter. */
const BARE: Record<string, RegExp> = { ",": /[^",]*/y, ";": /[^";]*/y };

/** A loop, because a pattern would repeat a group, which overflows V8's stack on millions of quotes. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

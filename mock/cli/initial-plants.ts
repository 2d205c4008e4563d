import { extname } from "node:path";
import { describe } from "../../src/checks/describe.ts";
import { isRecord } from "../../src/checks/objects.ts";
import { unknownName } from "../../src/checks/read-options.ts";
import { NEW_PLANT_NAMES, type NewPlant, validateNewPlant } from "../../src/contract/plant.ts";
import { decodeExactJson, decodeIfJson, encodeExactJson } from "../http/exact-json.ts";
import { oneLine, orUsageError, readTextFile } from "./read-text-file.ts";
import { UsageError } from "./settings.ts";

/** One entry of a file of plants. */
interface PlantEntry {
  /** E.g. `line 7`. */
  readonly place: string;
  readonly text: string;
  /** Its value; undefined if the text is not JSON. */
  readonly value: unknown;
}

const FORMATS: Readonly<Record<string, (text: string, where: string) => PlantEntry[]>> = {
  ".ndjson": entriesOfLines,
  ".jsonl": entriesOfLines,
  ".json": entriesOfArray,
};

/** How many problems a message lists; it counts the others. */
const SHOWN = 20;

/**
 * Reads the initial plants from a file: NDJSON (one plant per line) or a JSON array.
 *
 * @param source - The setting that names the file, for messages, e.g. `--initial-plants`.
 * @throws {@link UsageError} that names the file, and each invalid entry with its rule and its text.
 */
export function readPlantsFile(path: string, source: string): NewPlant[] {
  const where = `${source} ${path}`;
  const ending = extname(path).toLowerCase();
  const entriesOf = FORMATS[ending];
  if (entriesOf === undefined) {
    const endings = Object.keys(FORMATS).join(", ");
    throw new UsageError(`${where}: the file name must end in ${endings}; received ${JSON.stringify(ending)}`);
  }
  const text = readTextFile(path, where);
  const entries = entriesOf(text, where);
  const plants: NewPlant[] = [];
  const problems: string[] = [];
  for (const entry of entries) {
    const { plant, problem } = readEntry(entry);
    if (plant !== undefined) plants.push(plant);
    else problems.push(`${entry.place}: ${problem}; received: ${oneLine(entry.text)}`);
  }
  if (problems.length === 0) return plants;
  const more = problems.length > SHOWN ? [`and ${problems.length - SHOWN} more`] : [];
  throw new UsageError([`${where}: the list is invalid:`, ...problems.slice(0, SHOWN), ...more].join("\n  "));
}

function entriesOfLines(text: string): PlantEntry[] {
  const lines = text.split(/\r\n|\n|\r/).map((line, index) => {
    return { place: `line ${index + 1}`, text: line, value: decodeIfJson(line) };
  });
  return lines.filter((line) => line.text.trim() !== "");
}

function entriesOfArray(text: string, where: string): PlantEntry[] {
  const problem = `${where}: must be a JSON array of plants`;
  const value = orUsageError(problem, () => decodeExactJson(text));
  if (!Array.isArray(value)) throw new UsageError(`${problem}, not ${describe(value)}`);
  return value.map((item, index) => ({ place: `[${index}]`, text: encodeExactJson(item), value: item }));
}

function readEntry({ value }: PlantEntry): { plant?: NewPlant; problem?: string } {
  if (value === undefined) return { problem: "must be one JSON object" };
  const unknown = isRecord(value) ? Object.keys(value).find((name) => !isField(name)) : undefined;
  if (unknown !== undefined) return { problem: unknownName(oneLine(unknown), NEW_PLANT_NAMES, "field") };
  const result = validateNewPlant(value);
  if (!result.issues) return { plant: result.value };
  return { problem: result.issues.map(({ path, message }) => [...path, message].join(" ")).join("; ") };
}

function isField(name: string): boolean {
  return (NEW_PLANT_NAMES as readonly string[]).includes(name);
}

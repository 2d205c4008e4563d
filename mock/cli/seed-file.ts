import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { NEW_PLANT_FIELDS, type NewPlant, validateNewPlant } from "../../src/contract/plant.ts";
import { readCsvList } from "./csv-list.ts";
import { readJsonList, readNdjsonList } from "./json-list.ts";
import { type ListEntry, shorten } from "./list-entry.ts";
import { UsageError } from "./usage-error.ts";

/** What a file holds, by the end of its name. */
const FORMATS: Record<string, (text: string) => Iterable<ListEntry>> = {
  ".csv": readCsvList,
  ".ndjson": readNdjsonList,
  ".jsonl": readNdjsonList,
  ".json": readJsonList,
};

/** How many problems are shown; the others are counted. */
const SHOWN = 20;

/**
 * Reads the plants to start with from a list: CSV, NDJSON or a JSON array. Ids are exact. The import of the examples
 * reads the same lists; it leaves out a bad line, where this refuses the file.
 *
 * @throws {@link UsageError} that names the file, and each bad line with its rule and its text.
 */
export function readSeedFile(path: string): NewPlant[] {
  try {
    return readPlants(readText(path), extname(path).toLowerCase());
  } catch (error) {
    throw new UsageError(`--seed ${path}: ${(error as Error).message}`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new UsageError(`cannot be read: ${(error as Error).message}`);
  }
}

function readPlants(text: string, format: string): NewPlant[] {
  const read = FORMATS[format];
  if (!read) throw new UsageError(`must end in ${Object.keys(FORMATS).join(", ")}, to say what it holds`);
  const plants: NewPlant[] = [];
  const problems: string[] = [];
  const unknown = new Set<string>();
  for (const entry of read(text)) {
    const { plant, problem } = readPlant(entry);
    if (plant) {
      plants.push(plant);
      for (const column of unknownColumns(entry.value as object)) unknown.add(shorten(column));
    } else problems.push(`line ${entry.line}: ${problem}; received: ${shorten(entry.text)}`);
  }
  if (unknown.size > 0) {
    problems.push(`unknown columns: ${[...unknown].slice(0, SHOWN).join(", ")}; expected id, name, tag`);
  }
  if (problems.length === 0) return plants;
  const more = problems.length > SHOWN ? [`and ${problems.length - SHOWN} more`] : [];
  throw new UsageError(["the list has problems", ...problems.slice(0, SHOWN), ...more].join("\n  "));
}

function readPlant({ text, value, problem }: ListEntry): { plant?: NewPlant; problem?: string } {
  if (problem !== undefined) return { problem };
  if (text.includes("\uFFFD")) return { problem: "holds bytes that are not UTF-8: save the list as UTF-8" };
  const result = validateNewPlant(value);
  if (!result.issues) return { plant: result.value };
  return { problem: result.issues.map(({ path, message }) => [...path, message].join(" ")).join("; ") };
}

function unknownColumns(value: object): string[] {
  return Object.keys(value).filter((column) => !NEW_PLANT_FIELDS.some((field) => field === column));
}

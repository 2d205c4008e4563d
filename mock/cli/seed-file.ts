import { extname } from "node:path";
import { isRecord } from "../../src/checks/schema.ts";
import { NEW_PLANT_NAMES, type NewPlant, validateNewPlant } from "../../src/contract/plant.ts";
import { readCsvList } from "./csv-list.ts";
import { readJsonList, readNdjsonList } from "./json-list.ts";
import { type ListEntry, shorten } from "./list-entry.ts";
import { IS_UTF16, readBytes, UTF16_START } from "./read-bytes.ts";
import { UsageError } from "./usage-error.ts";

const FORMATS: Record<string, (text: string) => Iterable<ListEntry>> = {
  ".csv": readCsvList,
  ".ndjson": readNdjsonList,
  ".jsonl": readNdjsonList,
  ".json": readJsonList,
};

const NOT_UTF8 = "contains bytes that are not UTF-8; save the list as UTF-8";

/** How many problems a message lists; it counts the others. */
const SHOWN = 20;

/**
 * Reads the initial plants from a CSV, NDJSON or JSON file. Ids are exact. The import example reads the same formats,
 * but skips invalid lines instead of rejecting the file.
 *
 * @param source - The setting that names the file, for messages, e.g. `--seed`.
 * @throws {@link UsageError} that names the file, and each invalid entry with its rule and its text.
 */
export function readSeedFile(path: string, source: string): NewPlant[] {
  try {
    const read = formatOf(path);
    const text = readText(path);
    // Otherwise the message would be that it has no header, or no array.
    if (UTF16_START.test(text)) throw new UsageError(IS_UTF16);
    return readPlants(read(text));
  } catch (error) {
    throw new UsageError(`${source} ${path}: ${(error as Error).message}`);
  }
}

function formatOf(path: string): (text: string) => Iterable<ListEntry> {
  const ending = extname(path).toLowerCase();
  const read = FORMATS[ending];
  if (read) return read;
  const endings = Object.keys(FORMATS).join(", ");
  throw new UsageError(`the file name must end in ${endings}; received ${JSON.stringify(ending)}`);
}

function readText(path: string): string {
  try {
    return readBytes(path)
      .toString()
      .replace(/^\uFEFF/, "");
  } catch (error) {
    throw new UsageError(`cannot be read: ${(error as Error).message}`);
  }
}

function readPlants(entries: Iterable<ListEntry>): NewPlant[] {
  const plants: NewPlant[] = [];
  const problems: string[] = [];
  const unknown = new Set<string>();
  for (const entry of entries) {
    const { plant, problem } = readPlant(entry);
    for (const column of unknownColumns(entry.value)) unknown.add(shorten(column));
    if (plant) plants.push(plant);
    else problems.push(`${entry.place}: ${problem}; received: ${shorten(entry.text)}`);
  }
  if (unknown.size > 0) {
    problems.push(
      `unknown columns: ${[...unknown].slice(0, SHOWN).join(", ")}; expected ${NEW_PLANT_NAMES.join(", ")}`,
    );
  }
  if (problems.length === 0) return plants;
  const more = problems.length > SHOWN ? [`and ${problems.length - SHOWN} more`] : [];
  throw new UsageError(["the list is invalid:", ...problems.slice(0, SHOWN), ...more].join("\n  "));
}

function readPlant({ text, value, problem }: ListEntry): { plant?: NewPlant; problem?: string } {
  if (problem !== undefined) return { problem };
  if (text.includes("\uFFFD")) return { problem: NOT_UTF8 };
  const result = validateNewPlant(value);
  if (!result.issues) return { plant: result.value };
  return { problem: result.issues.map(({ path, message }) => [...path, message].join(" ")).join("; ") };
}

function unknownColumns(value: unknown): string[] {
  return isRecord(value)
    ? Object.keys(value).filter((column) => !NEW_PLANT_NAMES.some((field) => field === column))
    : [];
}

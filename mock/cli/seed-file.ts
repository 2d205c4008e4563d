import { readFileSync } from "node:fs";
import { decodeNewPlant } from "../../src/contract/json.ts";
import { type NewPlant, validateNewPlant } from "../../src/contract/plant.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Reads the plants to start with: one JSON object a line, or a JSON array. Ids are exact.
 *
 * @throws {@link UsageError} that names the file, the line and the rule.
 */
export function readSeedFile(path: string): NewPlant[] {
  const text = readText(path);
  const isArray = /^\s*\[/.test(text);
  const entries = isArray ? splitArray(text) : splitLines(text);
  const plants = entries
    .filter((entry) => entry.text.trim() !== "")
    .map((entry) => readPlant(entry.text, `--seed ${path}, line ${entry.line}`));
  if (isArray) checkWhole(text, path);
  return plants;
}

interface Entry {
  readonly text: string;
  /** Where it begins. */
  readonly line: number;
}

function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new UsageError(`--seed ${path}: cannot be read: ${(error as Error).message}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`--seed ${path}: must be UTF-8; its bytes are ill-formed`);
  }
}

function splitLines(text: string): Entry[] {
  return text.split("\n").map((line, index) => ({ text: line, line: index + 1 }));
}

/** The elements of a JSON array as they stand in the text, so that each is read with its exact id, and has a line. */
function splitArray(text: string): Entry[] {
  const entries: Entry[] = [];
  let depth = 0;
  let line = 1;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/g)) {
    if (depth === 1 && (token === "," || token === "]")) {
      const element = text.slice(start, index);
      const blank = /^\s*/.exec(element)?.[0] as string;
      entries.push({ text: element, line: line + countLines(blank) });
      line += countLines(element);
    } else if (depth === 0) line += countLines(text.slice(start, index));
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth === 1 && (token === "[" || token === ",")) start = index + 1;
  }
  return entries;
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

function checkWhole(text: string, path: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw new UsageError(`--seed ${path}: must be one whole JSON array, or a plant a line`);
  }
}

function readPlant(text: string, where: string): NewPlant {
  let value: unknown;
  try {
    value = decodeNewPlant(text);
  } catch {
    throw new UsageError(`${where}: must be a JSON object; its syntax is wrong`);
  }
  const result = validateNewPlant(value);
  if (result.issues === undefined) return result.value;
  const problems = result.issues.map(({ path, message }) => [...path, message].join(": "));
  throw new UsageError(`${where}: ${problems.join("; ")}`);
}

import { readFileSync } from "node:fs";
import { decodeNewPlant } from "../../src/contract/json.ts";
import { type NewPlant, validateNewPlant } from "../../src/contract/plant.ts";
import { decodeExactJson } from "../http/exact-json.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Reads the plants to start with: one JSON object a line, or a JSON array. Ids are exact.
 *
 * @throws {@link UsageError} that names the file, the line and the rule.
 */
export function readSeedFile(path: string): NewPlant[] {
  const text = readText(path);
  return /^\s*\[/.test(text) ? readArray(text, path) : readLines(text, path);
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

function readLines(text: string, path: string): NewPlant[] {
  const plants: NewPlant[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() !== "") plants.push(readPlant(() => decodeNewPlant(line), `${path}, line ${index + 1}`));
  }
  return plants;
}

function readArray(text: string, path: string): NewPlant[] {
  let items: unknown[];
  try {
    items = decodeExactJson(text) as unknown[];
  } catch (error) {
    throw new UsageError(`--seed ${path}${lineOf(error as SyntaxError, text)}: must be JSON; its syntax is wrong`);
  }
  return items.map((item, index) => readPlant(() => item, `${path}, plant ${index + 1}`));
}

/** The line that a syntax error of `JSON.parse` speaks of, where it names a position. */
function lineOf({ message }: SyntaxError, text: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? "" : `, line ${text.slice(0, Number(position)).split("\n").length}`;
}

function readPlant(decode: () => unknown, where: string): NewPlant {
  let value: unknown;
  try {
    value = decode();
  } catch {
    throw new UsageError(`--seed ${where}: must be a JSON object; its syntax is wrong`);
  }
  const result = validateNewPlant(value);
  if (result.issues === undefined) return result.value;
  const problems = result.issues.map(({ path, message }) => [...path, message].join(": "));
  throw new UsageError(`--seed ${where}: ${problems.join("; ")}`);
}

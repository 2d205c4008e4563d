import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that some tests need, and that no package contains. */
export interface Program {
  readonly name: string;
  /** The environment variable that locates it: a path, `none` or `required`. */
  readonly variable: string;
  /** What to do if it is missing. */
  readonly install: string;
  /** The paths to try, the best first. */
  readonly places: readonly string[];
}

/**
 * Finds a program.
 *
 * @returns its path, or undefined if it is not installed: its tests are then skipped.
 * @throws Error if the variable names a path that does not exist, or is `required` and nothing was found.
 */
export function findProgram({ name, variable, install, places }: Program): string | undefined {
  const wanted = process.env[variable] || undefined;
  if (wanted === "none") return undefined;
  if (wanted !== undefined && wanted !== "required") {
    if (existsSync(wanted)) return wanted;
    throw new Error(`${variable}: there is no file ${wanted}; give the path of ${name}, "none" or "required"`);
  }
  const found = places.find((path) => existsSync(path));
  if (found === undefined && wanted === "required") {
    throw new Error(`${variable} is "required", but there is no ${name}: ${install}`);
  }
  return found;
}

/** The paths that a program of one of these names would have in a folder of PATH. */
export function inSearchPath(...names: readonly string[]): string[] {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const ending = process.platform === "win32" ? ".exe" : "";
  return folders.flatMap((folder) => names.map((name) => join(folder, `${name}${ending}`)));
}

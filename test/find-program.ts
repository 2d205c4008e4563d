import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";

/** The machine to search on. Tests pass another one. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
}

const THIS_MACHINE: Machine = { platform: process.platform, env: process.env, exists: existsSync };

/** A program that some tests need, and that no package contains. */
export interface Program {
  readonly name: string;
  /** The environment variable that locates it: a path, `none` or `required`. */
  readonly variable: string;
  /** What to do if it is missing. */
  readonly install: string;
  /** The paths to try, the best first. */
  places(machine: Machine): readonly string[];
}

/**
 * Finds a program.
 *
 * @returns its path, or undefined if it is not installed: its tests are then skipped.
 * @throws Error if the variable names a path that does not exist, or is `required` and nothing was found.
 */
export function findProgram(program: Program, machine: Machine = THIS_MACHINE): string | undefined {
  const { name, variable, install } = program;
  const wanted = machine.env[variable] || undefined;
  if (wanted === "none") return undefined;
  if (wanted !== undefined && wanted !== "required") {
    if (machine.exists(wanted)) return wanted;
    throw new Error(`${variable}: there is no file ${wanted}; give the path of ${name}, "none" or "required"`);
  }
  const found = program.places(machine).find((path) => machine.exists(path));
  if (found === undefined && wanted === "required") {
    throw new Error(`${variable} is "required", but there is no ${name}: ${install}`);
  }
  return found;
}

/** The paths that a program of one of these names would have in a folder of PATH. */
export function inSearchPath(names: readonly string[], { platform, env }: Machine): string[] {
  const { join, delimiter } = platform === "win32" ? win32 : posix;
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter((folder) => folder !== "");
  const ending = platform === "win32" ? ".exe" : "";
  return folders.flatMap((folder) => names.map((name) => join(folder, `${name}${ending}`)));
}

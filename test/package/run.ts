import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What a command printed. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in a folder, with only the part of this project's environment that it needs.
 *
 * @param more - Further variables of its environment; one that is undefined is absent.
 * @throws Error with its whole output, if it fails.
 */
export async function execute(
  folder: string,
  command: string,
  args: readonly string[] = [],
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<Printed> {
  const { NODE_OPTIONS, NODE_PATH, NODE_ENV, VITEST, ...ours } = process.env;
  // On Windows, npm and npx are scripts that only a shell can start.
  const shell = process.platform === "win32" && command !== process.execPath;
  const env = { ...ours, ...more };
  const execution = promisify(execFile)(command, args, { cwd: folder, env, shell, maxBuffer: 2 ** 26 });
  return execution.catch((error: Error & Printed) => {
    throw new Error(`${command} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`);
  });
}

/** Like {@link execute}, but returns only standard output. */
export async function run(folder: string, command: string, args: readonly string[] = []): Promise<string> {
  return (await execute(folder, command, args)).stdout;
}

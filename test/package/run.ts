import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * Runs a command in a folder, with no more of this project's environment than it needs.
 *
 * @returns what it printed on its standard output.
 * @throws Error with all that it printed, when it fails.
 */
export async function run(folder: string, command: string, args: readonly string[] = []): Promise<string> {
  const { NODE_OPTIONS, NODE_PATH, NODE_ENV, VITEST, ...env } = process.env;
  // npm and npx are scripts on Windows, which only its shell starts.
  const shell = process.platform === "win32" && command !== process.execPath;
  const execution = promisify(execFile)(command, args, { cwd: folder, env, shell, maxBuffer: 2 ** 26 });
  const { stdout } = await execution.catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${command} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

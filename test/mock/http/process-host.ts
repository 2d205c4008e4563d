import { expect } from "vitest";
import { run } from "../../../mock/cli/run.ts";

/** A process that a test can inspect. */
export function createHost(isTTY = false, environment: NodeJS.ProcessEnv = {}) {
  const host = {
    environment,
    signal: (_signal: number) => {},
    parentExit: () => {},
    text: { stdout: "", stderr: "" },
    stdout: { isTTY, writableLength: 0, write: (text: string) => (host.text.stdout += text) },
    stderr: { isTTY, writableLength: 0, write: (text: string) => (host.text.stderr += text) },
    version: "1.2.3",
    onSignal: (callback: (signal: number) => void) => {
      host.signal = callback;
    },
    onParentExit: (callback: () => void) => {
      host.parentExit = callback;
    },
  };
  return host;
}

/** The exit status and standard error of a command that does not start. */
export async function refused(...argv: string[]): Promise<[number, string]> {
  const host = createHost();
  const status = await run(argv, host);
  expect(host.text.stdout).toBe("");
  return [status, host.text.stderr];
}

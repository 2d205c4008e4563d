import { expect } from "vitest";
import { run } from "../../../mock/cli/run.ts";

/** A process that a test can inspect. */
export function createHost(isTTY = false, environment: NodeJS.ProcessEnv = {}) {
  let print = () => {};
  const printed = new Promise<void>((resolve) => {
    print = resolve;
  });
  const write = (text: string, done?: (error?: Error) => void) => {
    host.text.stdout += text;
    print();
    done?.();
  };
  const host = {
    environment,
    printed,
    signal: (_signal: number) => {},
    parentExit: () => {},
    text: { stdout: "", stderr: "" },
    stdout: { isTTY, writableLength: 0, write },
    stderr: { isTTY, writableLength: 0, write: (text: string) => (host.text.stderr += text) },
    version: "1.2.3",
    onSignal: (callback: (signal: number) => void) => {
      host.signal = callback;
    },
    interruptible: <Value>(read: () => Value) => read(),
    onParentExit: (callback: () => void) => {
      host.parentExit = callback;
    },
  };
  return host;
}

/** Starts the command, and waits for its ready line: the addresses in it, and `end`, which resolves with the exit status. */
export async function start(argv: readonly string[], host = createHost()) {
  const ended = run(argv, host);
  await Promise.race([host.printed, ended]);
  const { url, baseUrl } = JSON.parse(host.text.stdout) as { url: string; baseUrl: string };
  const end = () => {
    host.signal(15);
    return ended;
  };
  return { url, baseUrl, host, end };
}

/** The exit status and standard error of a command that does not start. */
export async function refused(...argv: string[]): Promise<[number, string]> {
  // Some values are checked after the port has been opened, and the default port may be in use.
  const host = createHost(false, { PLANT_STORE_MOCK_PORT: "0" });
  const status = await run(argv, host);
  expect(host.text.stdout).toBe("");
  return [status, host.text.stderr];
}

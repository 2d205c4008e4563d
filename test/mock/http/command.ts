import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const CLI = fileURLToPath(new URL("../../../mock/cli.ts", import.meta.url));

/** The command as a separate process. */
export interface Command {
  readonly process: ChildProcess;
  /** The contents of the ready line. */
  readonly ready: { readonly url: string; readonly baseUrl: string; readonly pid: number };
  /** The exit status, or the signal that ended it; and its whole standard error. */
  readonly ended: Promise<{ status: number | null; signal: string | null; log: string; output: string }>;
}

/** Starts plant-store-mock and waits for its ready line. */
export async function startCommand(flags: readonly string[], stdin: "pipe" | "ignore" = "ignore"): Promise<Command> {
  const child = spawn(process.execPath, ["--import", "tsx", CLI, "--port", "0", ...flags], {
    stdio: [stdin, "pipe", "pipe"],
  });
  let log = "";
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => (log += text));
  const ended = new Promise<Awaited<Command["ended"]>>((resolve) => {
    child.on("close", (status, signal) => resolve({ status, signal, log, output }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (output.includes("\n")) resolve(output);
    });
    ended.then(() => reject(new Error(`it ended before it was ready: ${log}`)));
  });
  return { process: child, ready: JSON.parse(await ready), ended };
}

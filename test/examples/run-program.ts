import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/** The root of the project, where `npm start` runs its program. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The output and status of a program that has ended. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. */
export interface Program {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Ended>;
  /** Its output on stdout so far. */
  readonly stdout: () => string;
}

export interface ProgramOptions {
  readonly args?: string[];
  readonly env?: Record<string, string | undefined>;
}

/** Starts a TypeScript program of the project. */
export function startProgram(file: string, { args = [], env = {} }: ProgramOptions = {}): Program {
  const child = spawn(process.execPath, ["--import", "tsx", file, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([status]) => ({ status, stdout, stderr }));
  return { child, ended, stdout: () => stdout };
}

/** Runs a program to its end. */
export function runProgram(file: string, options?: ProgramOptions): Promise<Ended> {
  return startProgram(file, options).ended;
}

#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { createInterface } from "node:readline/promises";

// Before the rest is loaded: the system delivers no signal to the first process of a container that has no handler for it.
let onSignal: (signal: number) => void = () => process.exit(0);
const handle = (name: NodeJS.Signals) => onSignal(constants.signals[name]);
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
for (const name of SIGNALS) process.on(name, handle);

const [{ run }, { onParentExit }] = await Promise.all([
  process.argv[2] === "calibrate" ? import("./calibrate/run.ts") : import("./cli/run.ts"),
  import("./cli/parent.ts"),
]);
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

// Without a listener, the command would crash if the reader of its output ends first (EPIPE).
for (const output of [process.stdout, process.stderr]) output.on("error", () => {});

/** Asks the user on the terminal. */
async function question(text: string): Promise<string> {
  const terminal = createInterface(process.stdin, process.stdout);
  return terminal.question(text).finally(() => terminal.close());
}

const status = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  version,
  environment: process.env,
  onSignal: (callback) => {
    onSignal = callback;
  },
  interruptible: (read) => {
    for (const name of SIGNALS) process.off(name, handle);
    const value = read();
    for (const name of SIGNALS) process.on(name, handle);
    return value;
  },
  onParentExit,
  question: process.stdin.isTTY ? question : undefined,
});
process.exit(status);

#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { onParentExit } from "./cli/parent.ts";
import { run } from "./cli/run.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

// Without a listener, the command would crash if the reader of its output ends first (EPIPE).
for (const output of [process.stdout, process.stderr]) output.on("error", () => {});

const status = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  version,
  environment: process.env,
  onSignal: (callback) => {
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
      process.on(name, () => callback(constants.signals[name]));
  },
  onParentExit,
});
process.exit(status);

import { writeFileSync } from "node:fs";
import { test } from "vitest";

// A worker in which not even the timer of a timeout fires.
test("is stuck", () => {
  writeFileSync(process.env.PID_FILE as string, `${process.pid}`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});

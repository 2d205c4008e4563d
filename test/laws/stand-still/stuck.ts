import { writeFileSync } from "node:fs";
import { test } from "vitest";

// Blocks its worker, so that not even a timeout fires.
test("is stuck", () => {
  writeFileSync(process.env.PID_FILE as string, `${process.pid}`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});

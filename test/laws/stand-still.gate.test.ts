import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { execute } from "../package/run.ts";

test("a run that hangs ends with an error, names the file and leaves no worker behind", async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), "stand-still-"));
  const file = join(folder, "pid");
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/laws/stand-still/vitest.config.ts"];
  await expect(execute(root, process.execPath, args, { PID_FILE: file })).rejects.toThrow(
    "Nothing has happened for 2 s. Running: stuck.ts. The run is ended.",
  );
  const pid = Number(await readFile(file, "utf8"));
  await expect.poll(() => isRunning(pid)).toBe(false);
  await rm(folder, { recursive: true });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

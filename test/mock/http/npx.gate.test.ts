import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

/** A project that has the command as a local bin, as `npm install` would link it. */
let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "npx-"));
  const bin = join(project, "node_modules/.bin/plant-store-mock");
  mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx"));
  const cli = fileURLToPath(new URL("../../../mock/cli.ts", import.meta.url));
  writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" --import "${tsx.href}" "${cli}" "$@"\n`);
  chmodSync(bin, 0o755);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

it.each(["SIGTERM", "SIGKILL"] as const)(
  "npx that is ended by %s leaves no server behind, although a shell stands between",
  async (signal) => {
    const flags = ["--port", "0", "--exit-with-parent", "--log", "silent"];
    const npx = spawn("npx", ["--no-install", "plant-store-mock", ...flags], {
      cwd: project,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(npx, "exit");
    const [line] = await once(createInterface(npx.stdout), "line");
    const { url, pid } = JSON.parse(line);
    expect(pid).not.toBe(npx.pid);
    npx.kill(signal);
    await exited;
    const health = () =>
      fetch(`${url}/_mock/health`).then(
        () => "there",
        () => "gone",
      );
    await expect.poll(health).toBe("gone");
  },
);

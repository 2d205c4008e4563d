import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

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

const FLAGS = ["--no-install", "plant-store-mock", "--port", "0", "--exit-with-parent", "--log", "silent"];

const healthOf = (url: string) => () =>
  fetch(`${url}/_mock/health`).then(
    () => "there",
    () => "gone",
  );

describe("a mock started by npx with a pipe as standard input ends", () => {
  it("when the pipe is at its end", async () => {
    const npx = spawn("npx", FLAGS, { cwd: project, stdio: ["pipe", "pipe", "inherit"] });
    const [line] = await once(createInterface(npx.stdout), "line");
    const { url, pid } = JSON.parse(line);
    expect(pid).not.toBe(npx.pid);
    expect(await healthOf(url)()).toBe("there");
    npx.stdin.end();
    await expect.poll(healthOf(url)).toBe("gone");
  });

  it("when the program that started npx is killed", async () => {
    const program = `require("node:child_process").spawn("npx", ${JSON.stringify(FLAGS)}, { stdio: ["pipe", "inherit", "inherit"] })`;
    const starter = spawn(process.execPath, ["-e", program], { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(createInterface(starter.stdout), "line");
    const { url } = JSON.parse(line);
    starter.kill("SIGKILL");
    await expect.poll(healthOf(url)).toBe("gone");
  });
});

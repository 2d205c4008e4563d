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
  // If asked, the command waits before it starts.
  const wait = '[ -z "$START" ] || { echo waiting; while [ ! -e "$START" ]; do sleep 0.05; done; }';
  writeFileSync(bin, `#!/bin/sh\n${wait}\nexec "${process.execPath}" --import "${tsx.href}" "${cli}" "$@"\n`);
  chmodSync(bin, 0o755);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

async function startNpx(environment?: NodeJS.ProcessEnv) {
  const flags = ["--port", "0", "--exit-with-parent", "--log", "silent"];
  const npx = spawn("npx", ["--no-install", "plant-store-mock", ...flags], {
    cwd: project,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
    // A session of its own shows that another process adopts the shell, even if a package runner is the first process.
    detached: true,
  });
  const lines = createInterface(npx.stdout);
  return {
    npx,
    line: async (): Promise<string> => (await once(lines, "line"))[0],
    kill: async (signal: NodeJS.Signals) => {
      const exited = once(npx, "exit");
      npx.kill(signal);
      await exited;
    },
  };
}

const healthOf = (url: string) => () =>
  fetch(`${url}/_mock/health`).then(
    () => "there",
    () => "gone",
  );

describe.each(["SIGTERM", "SIGKILL"] as const)("npx that is ended by %s", (signal) => {
  it("leaves no server behind, although a shell stands between", async () => {
    const { npx, line, kill } = await startNpx();
    const { url, pid } = JSON.parse(await line());
    expect(pid).not.toBe(npx.pid);
    await kill(signal);
    await expect.poll(healthOf(url)).toBe("gone");
  });

  it.runIf(process.platform === "linux")("leaves none behind that was still starting", async () => {
    const start = join(project, `start-${signal}`);
    const { line, kill } = await startNpx({ START: start });
    expect(await line()).toBe("waiting");
    await kill(signal);
    const ready = line();
    writeFileSync(start, "");
    const { url } = JSON.parse(await ready);
    await expect.poll(healthOf(url)).toBe("gone");
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { useFolder } from "../../use-folder.ts";

const { path, write } = useFolder();

const FLAGS = ["--no-install", "plant-store-mock", "--port", "0", "--exit-with-parent", "--log", "silent"];

it("a mock started by npx, with a pipe as standard input, ends when the program that started npx is killed", async () => {
  // A project that has the command as a local bin, as `npm install` would link it.
  mkdirSync(path("node_modules/.bin"), { recursive: true });
  write("package.json", '{"type":"module"}');
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx"));
  const cli = fileURLToPath(new URL("../../../mock/cli.ts", import.meta.url));
  const command = `exec "${process.execPath}" --import "${tsx.href}" "${cli}" "$@"`;
  chmodSync(write("node_modules/.bin/plant-store-mock", `#!/bin/sh\n${command}\n`), 0o755);

  const program = `require("node:child_process").spawn("npx", ${JSON.stringify(FLAGS)}, { stdio: ["pipe", "inherit", "inherit"] })`;
  const starter = spawn(process.execPath, ["-e", program], { cwd: path(""), stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(starter.stdout), "line");
  const { url } = JSON.parse(line);
  const health = () => fetch(`${url}/_mock/health`).then(({ status }) => status, String);
  expect(await health()).toBe(200);
  starter.kill("SIGKILL");
  await expect.poll(health).toBe("TypeError: fetch failed");
});

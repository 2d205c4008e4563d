import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, inject, onTestFinished, test } from "vitest";

const { bare } = inject("installed");

test("plant-store-mock, as npx starts it, creates a plant, and logs its exact id", async () => {
  const command = spawn(join(bare, "node_modules/.bin/plant-store-mock"), ["--port", "0", "--log", "json"], {
    cwd: bare,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(command, "exit");
  onTestFinished(async () => {
    command.kill();
    await exited;
  });
  const [ready] = await once(createInterface(command.stdout), "line");
  const logged = once(createInterface(command.stderr), "line");
  const response = await fetch(`${JSON.parse(ready).baseUrl}/plants`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer secret" },
    body: '{"id":9223372036854775807,"name":"Monstera","tag":"aroid"}',
  });
  expect([response.status, await response.json()]).toEqual([200, { name: "Monstera", tag: "aroid" }]);
  expect((await logged)[0]).toContain('"id":9223372036854775807,');
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

const { bare } = inject("installed");

describe("plant-store-mock, as npx starts it", () => {
  const command = spawn(join(bare, "node_modules/.bin/plant-store-mock"), ["--port", "0", "--log", "json"], {
    cwd: bare,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(command, "exit");
  const journal = createInterface(command.stderr)[Symbol.asyncIterator]();
  let url: string;

  beforeAll(async () => {
    for await (const line of createInterface(command.stdout)) {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (found) {
        url = found;
        break;
      }
    }
  });

  afterAll(async () => {
    command.kill();
    await exited;
  });

  const create = async (body: string, headers: Record<string, string> = { authorization: "Bearer secret" }) => {
    const response = await fetch(`${url}/plants`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  test("returns a valid plant without its id", async () => {
    expect(await create('{"id":9223372036854775807,"name":"Monstera","tag":"aroid"}')).toMatchObject({
      status: 200,
      body: { name: "Monstera", tag: "aroid" },
    });
    expect((await journal.next()).value).toContain('"id":9223372036854775807,');
    expect((await create('{"id":1,"name":"Fern"}')).body).toEqual({ name: "Fern" });
  });
});

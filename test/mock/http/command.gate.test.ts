import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync } from "node:fs";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { connectMockPlantStore } from "plant-store-client/mock/http";
import { afterEach, describe, expect, it } from "vitest";
import { CLI, type Command, startCommand } from "./command.ts";
import { post } from "./post.ts";
import { PLANT, RawConnection, post as rawPost, untilRefused } from "./raw.ts";
import { useFolder } from "./use-folder.ts";

const { O_WRONLY, O_NONBLOCK } = constants;
const { path: pathOf } = useFolder();
const commands: Command[] = [];
afterEach(() => {
  for (const { process } of commands.splice(0)) process.kill("SIGKILL");
});

async function start(...args: Parameters<typeof startCommand>): Promise<Command> {
  const command = await startCommand(...args);
  commands.push(command);
  return command;
}

describe("plant-store-mock", () => {
  it("is controlled from another process, with exact ids", async () => {
    const { ready } = await start(["--duplicate-ids", "reject", "--base-path", "/v1", "--log", "silent"]);
    expect(ready).toEqual({
      ready: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      baseUrl: `${ready.url}/v1`,
      console: `${ready.url}/_mock/`,
      pid: expect.any(Number),
    });
    await using mock = await connectMockPlantStore(ready.url);
    await using session = await mock.session();
    const body = '{"id":9223372036854775807,"name":"a"}';
    expect((await post(session.baseUrl, body, session.token)).status).toBe(200);
    expect((await post(session.baseUrl, body, session.token)).status).toBe(400);
    expect((await session.requests.last)?.plant?.id).toBe(9223372036854775807n);
  });

  it("responds to a plain HTTP client as the contract says, and with clear errors otherwise", async () => {
    const { ready } = await start(["--log", "silent"]);
    const error = /^\{"error":\d+,"message":".+"\}$/;
    for (const [body, status, text] of [
      ['{"id":9223372036854775807,"name":"Ficus","tag":"fig"}', 200, /^\{"name":"Ficus","tag":"fig"\}$/],
      ['{"id":1,', 400, error],
      ['{"id":1}', 400, error],
      ['{"id":1.5,"name":"a"}', 400, error],
      ['{"id":9223372036854775808,"name":"a"}', 400, error],
    ] as const) {
      const reply = await post(ready.baseUrl, body);
      expect([body, reply.status, reply.headers.get("content-type")]).toEqual([body, status, "application/json"]);
      expect(await reply.text()).toMatch(text);
    }
    const unauthorized = await fetch(`${ready.baseUrl}/plants`, { method: "POST", body: PLANT });
    expect([unauthorized.status, unauthorized.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await unauthorized.text()).toMatch(error);
    const journal = await (await fetch(`${ready.url}/_mock/requests`)).text();
    expect(journal).toContain('"plant":{"id":9223372036854775807,"name":"Ficus","tag":"fig"}');
  });

  it("logs one line per request, and never a token", async () => {
    const { ready, process: child, ended } = await start(["--token", "very-secret-token", "--log", "json"]);
    await post(ready.baseUrl, '{"id":9223372036854775807,"name":"a"}', "very-secret-token");
    await post(ready.baseUrl, PLANT, "another-secret-token");
    await fetch(`${ready.url}/plants?access_token=very-secret-token`, { method: "POST" });
    child.kill("SIGTERM");
    const { log, output } = await ended;
    expect(output.trim().split("\n")).toHaveLength(1);
    expect(
      log
        .trim()
        .split("\n")
        .map((line) => line.replace(/"(at|durationMs)":[^,}]+,?/g, "").replace(/"token#[\da-f]{8}"/, '"…"')),
    ).toEqual([
      '{"method":"POST","path":"/plants","status":200,"provenance":"declared","id":9223372036854775807,"token":"…",}',
      '{"method":"POST","path":"/plants","status":401,"provenance":"assumed","assumption":"invalidToken","reason":"Authorization: the bearer token is not valid; send a token that the service accepts","id":1,"token":"…",}',
      '{"method":"POST","path":"/plants?…","status":404,"provenance":"assumed","assumption":"notFound","reason":"POST /plants?…: unknown query parameter \\"access_token\\"; expected none",}',
    ]);
    expect(`${log}${output}`).not.toMatch(/secret/);
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "%s under load: every request that was accepted is answered",
    async (signal) => {
      const { ready, process: child, ended } = await start(["--log", "json"]);
      const agent = new Agent({ keepAlive: true });
      const results: string[] = [];
      let isOver = false;
      const client = async (index: number) => {
        for (let round = 0; !isOver; round++)
          results.push(await send(ready.baseUrl, agent, `{"id":${round},"name":"${index}"}`));
      };
      const clients = Array.from({ length: 50 }, (_, index) => client(index));
      await expect.poll(() => results.length).toBeGreaterThan(500);
      child.kill(signal);
      const { status, log } = await ended;
      isOver = true;
      await Promise.all(clients);
      agent.destroy();
      expect(status).toBe(0);
      const accepted = log.trim().split("\n").length;
      expect(results.filter((result) => result === "200")).toHaveLength(accepted);
      // After the end no server listens. A request may meet the end of an idle connection, and a new connection that
      // the server has not yet accepted is reset; nothing else may have happened to a request.
      const expected = ["200", "ECONNREFUSED", "ECONNRESET", "closed while idle"];
      expect(expected).toEqual(expect.arrayContaining([...new Set(results)]));
    },
  );

  it.each(["SIGTERM", "SIGHUP"] as const)("completes a request that is open when %s arrives", async (signal) => {
    const { ready, process: child, ended } = await start(["--log", "silent"]);
    const connection = await RawConnection.open(ready.url);
    await connection.send(rawPost(PLANT).slice(0, -3));
    await fetch(`${ready.url}/_mock/health`);
    child.kill(signal);
    await untilRefused(ready.url);
    await connection.send(PLANT.slice(-3));
    expect((await connection.endedPolitely()).text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]+Connection: close/);
    expect((await ended).status).toBe(0);
  });

  it("a second signal ends it at once", async () => {
    const { ready, process: child, ended } = await start(["--log", "silent"]);
    await using mock = await connectMockPlantStore(ready.url);
    const gate = await mock.hold();
    const held = expect(post(mock.baseUrl, PLANT, mock.token)).rejects.toThrow("fetch failed");
    await gate.arrived(1);
    child.kill("SIGTERM");
    await untilRefused(ready.url);
    child.kill("SIGINT");
    expect((await ended).status).toBe(130);
    await held;
  });

  it.runIf(process.platform !== "win32").each(["SIGINT", "SIGTERM"] as const)(
    "ends with %s while it waits for a pipe that nobody writes",
    async (signal) => {
      const pipe = pathOf(`${signal}.json`);
      execFileSync("mkfifo", [pipe]);
      const child = spawn(process.execPath, ["--import", "tsx", CLI, "--port", "0", "--seed", pipe]);
      let descriptor = 0;
      // It opens once the command has opened the other end to read.
      await expect.poll(() => (descriptor = openSync(pipe, O_WRONLY | O_NONBLOCK))).toBeGreaterThan(0);
      child.kill(signal);
      const [, ended] = await once(child, "exit");
      closeSync(descriptor);
      expect(ended).toBe(signal);
    },
  );

  it.runIf(existsSync("/dev/full"))("ends with status 1 if its help cannot be written to a full disk", () => {
    const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", CLI, "--help"], {
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([
      1,
      "plant-store-mock: cannot write to standard output: ENOSPC: no space left on device, write\n",
    ]);
  });

  it("ends with the pipe on its standard input if --exit-with-parent is set", async () => {
    const { process: child, ended } = await start(["--exit-with-parent"], "pipe");
    child.stdin?.end();
    expect((await ended).status).toBe(0);
  });

  it("ends with its parent, even without a pipe", async () => {
    const parent = fileURLToPath(new URL("parent.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", parent], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    for await (const text of child.stdout.setEncoding("utf8")) {
      output += text;
      if (output.includes("\n")) break;
    }
    const { url } = JSON.parse(output);
    await expect
      .poll(() =>
        fetch(`${url}/_mock/health`).then(
          () => "there",
          () => "gone",
        ),
      )
      .toBe("gone");
  });

  it("keeps running without a pipe on its standard input", async () => {
    const { ready } = await start(["--exit-with-parent"], "ignore");
    expect((await fetch(`${ready.url}/_mock/health`)).status).toBe(200);
  });

  it("keeps running if its log is not read", async () => {
    const { ready, process: child } = await start(["--log", "json"]);
    child.stderr?.destroy();
    child.stdout?.destroy();
    for (let i = 0; i < 3; i++) expect((await post(ready.baseUrl, PLANT)).status).toBe(200);
  });
});

function send(baseUrl: string, agent: Agent, body: string): Promise<string> {
  const headers = { Authorization: "Bearer load", "Content-Type": "application/json", "Content-Length": body.length };
  return new Promise((resolve) => {
    const sending = request(`${baseUrl}/plants`, { method: "POST", headers, agent }, (response) => {
      response.on("error", (error: NodeJS.ErrnoException) => resolve(`in the reply: ${error.code}`));
      response.resume().on("end", () => resolve(`${response.statusCode}`));
    });
    sending.on("error", ({ code }: NodeJS.ErrnoException) => {
      const isIdleClose = sending.reusedSocket && (code === "ECONNRESET" || code === "EPIPE");
      setImmediate(resolve, isIdleClose ? "closed while idle" : `${code}`);
    });
    sending.end(body);
  });
}

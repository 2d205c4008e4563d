import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { connectMockPlantStore } from "plant-store-client/mock/http";
import { afterEach, describe, expect, it } from "vitest";
import { useFolder } from "../../use-folder.ts";
import { post } from "./post.ts";
import { PLANT, untilRefused } from "./raw.ts";

const { O_WRONLY, O_NONBLOCK } = constants;
const { path: pathOf } = useFolder();
const CLI = fileURLToPath(new URL("../../../mock/cli.ts", import.meta.url));
const commands: ChildProcess[] = [];
afterEach(() => {
  for (const command of commands.splice(0)) command.kill("SIGKILL");
});

/** The command as a separate process. */
interface Command {
  readonly process: ChildProcess;
  /** The contents of the ready line. */
  readonly ready: { readonly url: string; readonly baseUrl: string };
  /** The exit status, or the signal that ended it; and its whole standard error. */
  readonly ended: Promise<{ status: number | null; signal: string | null; log: string; output: string }>;
}

/** Starts plant-store-mock and waits for its ready line. */
async function start(flags: readonly string[]): Promise<Command> {
  const child = spawn(process.execPath, ["--import", "tsx", CLI, "--port", "0", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => (log += text));
  const ended = new Promise<Awaited<Command["ended"]>>((resolve) => {
    child.on("close", (status, signal) => resolve({ status, signal, log, output }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (output.includes("\n")) resolve(output);
    });
    ended.then(() => reject(new Error(`it ended before it was ready: ${log}`)));
  });
  commands.push(child);
  return { process: child, ready: JSON.parse(await ready), ended };
}

describe("plant-store-mock", () => {
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
        .map((line) => line.replace(/"(at|durationMs)":[^,}]+,?/g, "")),
    ).toEqual([
      '{"method":"POST","path":"/plants","status":200,"provenance":"declared","id":9223372036854775807,"token":"token#1",}',
      '{"method":"POST","path":"/plants","status":401,"provenance":"assumed","assumption":"invalidToken","reason":"Authorization: the bearer token is not valid; send a token that the service accepts","id":1,"token":"token#2",}',
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
      const child = spawn(process.execPath, ["--import", "tsx", CLI, "--port", "0", "--initial-plants", pipe]);
      let descriptor = 0;
      // It opens once the command has opened the other end to read.
      await expect.poll(() => (descriptor = openSync(pipe, O_WRONLY | O_NONBLOCK))).toBeGreaterThan(0);
      child.kill(signal);
      const [, ended] = await once(child, "exit");
      closeSync(descriptor);
      expect(ended).toBe(signal);
    },
  );

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

import { startMockPlantStore } from "plant-store-client/mock/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { run } from "../../../mock/cli/run.ts";
import { mustBe } from "../../rules-in-words.ts";
import { post } from "./post.ts";
import { createHost, refused, start } from "./process-host.ts";
import { exchange, PLANT, parseReply, RawConnection, post as rawPost } from "./raw.ts";
import { useShortTimeouts } from "./short-timeouts.ts";

describe("the command line", () => {
  /** `npx vitest run test/mock/http/run.test.ts -u` writes the file, whose changes are then reviewed. */
  it.each(["--help", "-h"])("%s prints the help that was reviewed, in 80 columns", async (flag) => {
    const host = createHost();
    expect(await run([flag], host)).toBe(0);
    await expect(host.text.stdout).toMatchFileSnapshot("../../../etc/help.txt");
    expect(Math.max(...host.text.stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it.each(["--version", "-v"])("%s gives the version", async (flag) => {
    const host = createHost();
    expect([await run([flag], host), host.text.stdout]).toEqual([0, "1.2.3\n"]);
  });

  it.each(["--help", "--version"])("%s ends with status 1 if nothing can be written", async (flag) => {
    const host = createHost();
    host.stdout.write = (_text, done) => done?.(new Error("ENOSPC: no space left on device"));
    expect([await run([flag], host), host.text.stderr]).toEqual([
      1,
      "plant-store-mock: cannot write to standard output: ENOSPC: no space left on device\n",
    ]);
  });

  it.each([
    [["--prt", "1"], 'unknown flag "--prt"; known flags: --port, --host, '],
    [["4010"], 'unexpected argument "4010"; give a value after its flag, such as --port 4010'],
    [["--port", "65536"], `--port: ${mustBe.integer(0, 65535)} 65536`],
    [["--port", "6000"], "--port: must not be 6000: fetch and browsers block it; choose another port"],
    [["--port", "0", "--port=0"], "--port: must be given only once"],
    [["--port"], "--port: the value is missing; write --port PORT, or --port=PORT if the value begins with a dash"],
    [["--base-path", "--cors"], "--base-path: the value is missing; write --base-path PATH, or --base-path=PATH if"],
    [["--cors=yes"], "--cors: takes no value; write --cors alone"],
    [["--duplicate-ids", "maybe"], `--duplicate-ids: ${mustBe.acceptOrReject} "maybe"`],
    [["--log", "loud[1]"], `--log: ${mustBe.log} "loud[1]"`],
    [["--token", "two words"], '--token: must be visible ASCII characters without spaces; character 4 is " "'],
    [["--config", ""], '--config: must be the name of a file, not ""'],
    [["--rate-limit", "1/60"], '--rate-limit: must have the form 50/s or 100/60s, not "1/60"'],
  ])("refuses %j", async (argv, message) => {
    const [status, text] = await refused(...argv);
    expect([status, text]).toEqual([2, expect.stringContaining(`plant-store-mock: ${message}`)]);
    expect(text).toMatch(/\nRun plant-store-mock --help for all flags\.\n$/);
  });

  it("ends with status 1 if it cannot listen", async () => {
    await using mock = await startMockPlantStore();
    const [status, text] = await refused("--port", new URL(mock.url).port);
    expect([status, text]).toEqual([
      1,
      expect.stringMatching(/^plant-store-mock: cannot listen on .+ is in use; .+\n$/),
    ]);
  });
});

describe("while it runs", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is pretty on a terminal, with one log line per request", async () => {
    const host = createHost(true);
    const ended = run(["--port", "0", "--cors"], host);
    await host.printed;
    expect(host.text.stdout).toMatch(
      /^Plant Store Mock 1\.2\.3\n {2}service {2}POST http\S+\/plants\n(?: {2}service .+\n)* {2}console {2}http\S+\/_mock\/\nPress Ctrl-C to stop it\.\n$/,
    );
    const url = /console {2}(\S+)\/_mock\/\n/.exec(host.text.stdout)?.[1] as string;
    await post(url, '{"id":9223372036854775807,"name":"a"}');
    await fetch(`${url}/${"é".repeat(300)}?token=x`);
    host.signal(2);
    host.parentExit();
    expect(await ended).toBe(0);
    const lines = host.text.stderr
      .split("\n")
      .map((line) => line.replace(/^[\d:.]+[+-]\d\d:\d\d|[\d.]+ ms/g, "#").replace(/ {2,}/g, "  "));
    expect(lines).toEqual([
      expect.stringMatching(/^# {2}200 {2}POST {2}\/plants {2}# {2}token#1 {2}id 9223372036854775807$/),
      expect.stringMatching(/^# {2}404 {2}GET {2}\/(%C3%A9){33}%?…\?… {2}# {2}GET \/(%C3%A9)+/),
      "",
    ]);
  });

  it("says on a terminal that the console is off, if it is", async () => {
    const host = createHost(true);
    const ended = run(["--port", "0", "--host", "0.0.0.0"], host);
    await host.printed;
    expect(host.text.stdout).toMatch(
      /^Plant Store Mock .+\n {2}service {2}POST .+\n(?: {2}service .+\n)* {2}console {2}off\nPress/,
    );
    host.signal(2);
    expect(await ended).toBe(0);
  });

  it("prints its address as one line of JSON if standard output is not a terminal", async () => {
    const host = createHost();
    const ended = run(["--port", "0", "--base-path", "/v1", "--log", "silent"], host);
    await host.printed;
    const ready = JSON.parse(host.text.stdout);
    const { url } = ready;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(ready).toEqual({ ready: true, url, baseUrl: `${url}/v1`, console: `${url}/_mock/`, pid: process.pid });
    const headers = { Origin: "http://page.test" };
    expect((await fetch(`${url}/v1/plants`, { headers })).headers.get("access-control-allow-origin")).toBe(null);
    host.parentExit();
    host.signal(15);
    expect(await ended).toBe(0);
  });

  it.each([
    ["pretty", "Note: cannot write to standard output: EPIPE.\n"],
    ["json", '{"warning":"cannot write to standard output: EPIPE"}\n'],
  ])("serves even if its address cannot be printed, and says so: --log %s", async (style, warning) => {
    const host = createHost();
    const { write } = host.stdout;
    host.stdout.write = (text, done) => {
      write(text);
      done?.(new Error("EPIPE"));
    };
    const { url, end } = await start(["--port", "0", "--log", style], host);
    expect((await fetch(`${url}/_mock/health`)).status).toBe(200);
    expect([await end(), host.text.stderr]).toEqual([0, warning]);
  });

  it("tells a client why it was refused before there was a request, and logs that", async () => {
    const { url, host, end } = await start(["--port", "0"]);
    const requests = [
      "\x16\x03\x01\x02\x00\x01\x00",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      "hello\r\n\r\n",
      rawPost('{"id":1', ["Transfer-Encoding: chunked"]),
      rawPost(PLANT).replace("Host: 127.0.0.1\r\n", ""),
      rawPost(PLANT, ["Expect: the-best"]),
      "CONNECT plants.example:443 HTTP/1.1\r\nHost: plants.example\r\n\r\n",
    ];
    const replies: unknown[] = [];
    for (const request of requests) {
      const { status, headers, body } = parseReply((await exchange(url, request)).text);
      expect(headers).toMatchObject({ connection: "close", "content-type": "application/json" });
      replies.push([status, JSON.parse(body).message]);
    }
    const { count } = await (await fetch(`${url}/_mock/requests`)).json();
    expect(count).toBe(0);
    expect(await end()).toBe(0);
    const lines = host.text.stderr.trim().split("\n");
    expect(lines.map((line) => [JSON.parse(line).status, JSON.parse(line).reason])).toEqual(replies);
    expect(replies).toEqual([
      [400, `the client speaks https; use ${url}`],
      [400, "the client speaks HTTP/2; use HTTP/1.1"],
      [431, "headers: are too large; send fewer or shorter headers"],
      [400, "request: cannot be parsed; send valid HTTP/1.1"],
      [400, "request: cannot be parsed; send valid HTTP/1.1"],
      [400, "Host: is required; send it"],
      [417, "Expect: must be 100-continue, or absent"],
      [501, "CONNECT: the mock is not a proxy; send requests to it directly"],
    ]);
  });

  it("logs a request that came too slowly, but no connection that sent nothing", async () => {
    useShortTimeouts();
    const { url, host, end } = await start(["--port", "0"]);
    const slow = await RawConnection.open(url);
    await slow.send("POST");
    const silent = await RawConnection.open(url); // As those that a browser opens in advance.
    await Promise.all([slow, silent].map((connection) => connection.endedPolitely()));
    expect(await end()).toBe(0);
    const lines = host.text.stderr.trim().split("\n");
    expect(lines.map((line) => [JSON.parse(line).status, JSON.parse(line).reason])).toEqual([
      [408, "request: did not arrive in time; send it faster"],
    ]);
  });

  it("ends with its parent, and a signal after that ends it at once", async () => {
    const host = createHost();
    const ended = run(["--port", "0", "--exit-with-parent"], host);
    await host.printed;
    host.parentExit();
    host.parentExit();
    host.signal(15);
    expect(await ended).toBe(143);
  });
});

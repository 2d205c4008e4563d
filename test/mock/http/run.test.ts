import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordedRequest } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRequestLog } from "../../../mock/cli/request-log.ts";
import { run } from "../../../mock/cli/run.ts";
import { post } from "./post.ts";
import { PLANT, RawConnection, post as rawPost } from "./raw.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "plant-store-mock-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A process that a test can look into. */
function createHost(isTTY = false) {
  const host = {
    signal: (_signal: number) => {},
    parentExit: () => {},
    text: { stdout: "", stderr: "" },
    stdout: { isTTY, writableLength: 0, write: (text: string) => (host.text.stdout += text) },
    stderr: { isTTY, writableLength: 0, write: (text: string) => (host.text.stderr += text) },
    version: "1.2.3",
    onSignal: (callback: (signal: number) => void) => {
      host.signal = callback;
    },
    onParentExit: (callback: () => void) => {
      host.parentExit = callback;
    },
  };
  return host;
}

async function refused(...argv: string[]): Promise<[number, string]> {
  const host = createHost();
  const status = await run(argv, host);
  expect(host.text.stdout).toBe("");
  return [status, host.text.stderr];
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("the command line", () => {
  it.each(["--help", "-h"])("%s explains every flag", async (flag) => {
    const host = createHost();
    expect(await run([flag], host)).toBe(0);
    for (const name of [
      "port",
      "host",
      "base-path",
      "token",
      "duplicate-ids",
      "seed",
      "cors",
      "log",
      "control-token",
      "exit-with-parent",
    ]) {
      expect(host.text.stdout).toContain(`--${name} `);
    }
    expect(host.text.stdout).toMatch(/Examples:\n {2}plant-store-mock\n/);
  });

  it.each(["--version", "-v"])("%s gives the version", async (flag) => {
    const host = createHost();
    expect([await run([flag], host), host.text.stdout]).toEqual([0, "1.2.3\n"]);
  });

  it.each([
    [["--prot", "1"], "--prot: there is no such flag; did you mean --port?"],
    [["--basepath=/v1"], "--basepath: there is no such flag; did you mean --base-path?"],
    [["-p", "1"], "-p: there is no such flag; did you mean"],
    [["4010"], "4010: is no flag; a value stands after its flag, such as --port 4010"],
    [["--port", "65536"], '--port: must be an integer from 0 to 65535 (0 takes a free one); it is "65536"'],
    [["--port", "x"], '--port: must be an integer from 0 to 65535 (0 takes a free one); it is "x"'],
    [["--seeds", "x"], "--seeds: there is no such flag; did you mean --seed?"],
    [["--control-tokens", "x"], "--control-tokens: there is no such flag; did you mean --control-token?"],
    [["--exit", "x"], "--exit: there is no such flag; did you mean --port?"],
    [["--hlep"], "--hlep: there is no such flag; did you mean --help?"],
    [["--port"], "Option '--port <value>' argument missing"],
    [["--port", "--cors"], "Option '--port' argument is ambiguous. Did you forget"],
    [["--cors=yes"], "Option '--cors' does not take an argument"],
    [["--duplicate-ids", "maybe"], '--duplicate-ids: must be accept or reject; it is "maybe"'],
    [["--log", "loud"], '--log: must be pretty or json or silent; it is "loud"'],
    [["--base-path", "v1"], "--base-path: must be a path such as /v1"],
    [["--port=-1"], '--port: must be an integer from 0 to 65535 (0 takes a free one); it is "-1"'],
    [["--port", "1e3"], '--port: must be an integer from 0 to 65535 (0 takes a free one); it is "1e3"'],
    [["--token", "two words"], "--token: must be a string of visible ASCII"],
    [Array(10).fill("--token=good").concat("--token=two words"), "--token: must be a string of visible ASCII"],
    [["--control-token", ""], "--control-token: must be a string of visible ASCII"],
    [["--host", ""], "--host: must be a host name or an address"],
  ])("refuses %j", async (argv, message) => {
    const [status, text] = await refused(...argv);
    expect([status, text]).toEqual([2, expect.stringContaining(`plant-store-mock: ${message}`)]);
    expect(text).toMatch(/\nRun plant-store-mock --help for all flags\.\n$/);
  });

  it("ends with 1 where it cannot listen", async () => {
    await using mock = await startMockPlantStore();
    const [status, text] = await refused("--port", new URL(mock.url).port);
    expect([status, text]).toEqual([
      1,
      expect.stringMatching(/^plant-store-mock: cannot listen on .+ is in use; .+\n$/),
    ]);
  });
});

describe("the seed file", () => {
  const seeds = async (path: string) => {
    const host = createHost();
    const ended = run(["--port", "0", "--seed", path], host);
    await expect.poll(() => host.text.stdout).not.toBe("");
    const { url } = JSON.parse(host.text.stdout);
    const text = await (await fetch(`${url}/_mock/plants`)).text();
    host.signal(15);
    expect(await ended).toBe(0);
    return text;
  };

  it("has exact ids, whatever its format", async () => {
    const big = 9223372036854775807n;
    const plants = `{"size":2,"plants":[{"id":${big},"name":"a"},{"id":100,"name":"b","tag":"t"}]}`;
    expect(await seeds(file("s.csv", `id;name;tag\n${big};a;\n0100;b;t\n`))).toBe(plants);
    expect(await seeds(file("s.ndjson", `{"id":${big},"name":"a"}\n{"id":100,"name":"b","tag":"t"}`))).toBe(plants);
    expect(await seeds(file("s.json", `[{"id":${big},"name":"a"},{"id":100,"name":"b","tag":"t"}]`))).toBe(plants);
  });

  it("is refused with each bad line, its rule and its text", async () => {
    const path = file("bad.csv", "id,name,place\n1,,here\n2,b,\nx,c,");
    const [status, text] = await refused("--seed", path);
    expect(status).toBe(2);
    expect(text).toBe(`plant-store-mock: --seed ${path}: the list has problems
  line 2: name is required; received: 1,,here
  line 4: id must be an integer from -9223372036854775808 to 9223372036854775807; received: x,c,
  unknown columns: place; expected id, name, tag
Run plant-store-mock --help for all flags.
`);
  });

  it("is refused when its name does not say what it holds", async () => {
    const path = file("plants.txt", "id,name\n1,a");
    expect(await refused("--seed", path)).toEqual([
      2,
      expect.stringContaining(`--seed ${path}: must end in .csv, .ndjson, .jsonl, .json, to say what it holds\n`),
    ]);
  });

  it("that is not there is named", async () => {
    const path = join(folder, "none");
    expect(await refused("--seed", path)).toEqual([
      2,
      expect.stringContaining(`--seed ${path}: cannot be read: ENOENT`),
    ]);
  });
});

describe("while it runs", () => {
  it("is pretty on a terminal, and its log has one line a request", async () => {
    const host = createHost(true);
    const ended = run(["--port", "0", "--cors"], host);
    await expect
      .poll(() => host.text.stdout)
      .toMatch(
        /^Plant Store Mock 1\.2\.3\n {2}service {2}POST http\S+\/plants\n {2}console {2}http\S+\/_mock\/\nCtrl-C ends it\.\n$/,
      );
    const url = /console {2}(\S+)\/_mock\/\n/.exec(host.text.stdout)?.[1] as string;
    await post(url, '{"id":9223372036854775807,"name":"a"}');
    await fetch(`${url}/${"é".repeat(300)}?token=x`);
    host.signal(2);
    host.parentExit();
    expect(await ended).toBe(0);
    expect(host.text.stderr.split("\n").map((line) => line.replace(/^[\d:.]+|[\d.]+ ms$/g, "#"))).toEqual([
      "#  200  POST  /plants  id 9223372036854775807  declared  token#1  #",
      expect.stringMatching(/^# {2}404 {2}GET {2}\/(%C3%A9){33}…?%?C?…\?… {2}assumed {2}#$/),
      "",
    ]);
  });

  it("while it ends, every reply closes its connection: of the service, to preflights, of the control API", async () => {
    const host = createHost();
    const ended = run(["--port", "0", "--cors", "--log", "silent"], host);
    await expect.poll(() => host.text.stdout).not.toBe("");
    const { url } = JSON.parse(host.text.stdout);
    const open = [await RawConnection.open(url), await RawConnection.open(url), await RawConnection.open(url)] as const;
    host.signal(15);
    await open[0].send(rawPost(PLANT));
    await open[1].send("GET /_mock/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await open[2].send(
      "OPTIONS /plants HTTP/1.1\r\nHost: x\r\nOrigin: http://a.test\r\nAccess-Control-Request-Method: POST\r\n\r\n",
    );
    for (const connection of open) {
      expect((await connection.endedPolitely()).text).toMatch(/^HTTP\/1\.1 20[04] [\s\S]+Connection: close\r\n/);
    }
    expect([await ended, host.text.stderr]).toEqual([0, ""]);
  });

  it("says in one line of JSON where it is, where nobody looks on", async () => {
    const host = createHost();
    const ended = run(["--port", "0", "--base-path", "/v1", "--log", "silent"], host);
    await expect.poll(() => host.text.stdout).not.toBe("");
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

  it("logs in JSON, where nobody looks on", async () => {
    const host = createHost();
    const ended = run(["--port", "0"], host);
    await expect.poll(() => host.text.stdout).not.toBe("");
    await post(JSON.parse(host.text.stdout).url, '{"id":9223372036854775807,"name":"a"}');
    host.signal(15);
    expect(await ended).toBe(0);
    expect(host.text.stderr).toMatch(
      /^\{"at":"[^"]+","method":"POST","path":"\/plants","status":200,"provenance":"declared","id":9223372036854775807,"token":"token#1","durationMs":[\d.]+\}\n$/,
    );
  });

  it("ends with its parent, and a signal after that quits at once", async () => {
    const host = createHost();
    const ended = run(["--port", "0", "--exit-with-parent"], host);
    await expect.poll(() => host.text.stdout).not.toBe("");
    host.parentExit();
    host.parentExit();
    host.signal(15);
    expect(await ended).toBe(143);
  });
});

describe("the log", () => {
  const request = {
    at: 0,
    method: "POST",
    path: "/\u001b[31m",
    headers: {},
    bodyText: "",
    fault: { type: "hang" },
  } as const;

  it.each(["json", "pretty"] as const)("drops %s lines that nobody reads, and says how many", (style) => {
    const output = { text: "", writableLength: 2 ** 21, write: (text: string) => (output.text += text) };
    const log = createRequestLog(style, output);
    log(request);
    log(request);
    expect(output.text).toBe("");
    output.writableLength = 0;
    log(request);
    expect(output.text.split("\n")).toEqual(
      style === "json"
        ? [
            '{"droppedLines":2}',
            '{"at":"1970-01-01T00:00:00.000Z","method":"POST","path":"/?…","fault":"hang","durationMs":0}',
            "",
          ]
        : ["(2 lines dropped)", "00:00:00.000  no reply  POST  /?…  hang  0.0 ms", ""],
    );
  });

  it.each([
    ["json", '"durationMs":1.235}\n'],
    ["pretty", "  1.2 ms\n"],
  ] as const)("rounds a duration in %s", (style, end) => {
    expect(logged(style, { ...request, durationMs: 1.23456 }).endsWith(end)).toBe(true);
  });

  it("has a path of 200 characters whole, and of a longer one the first 200", () => {
    const path = `/${"a".repeat(199)}`;
    expect(logged("pretty", { ...request, path })).toContain(`  ${path}  `);
    expect(logged("pretty", { ...request, path: `${path}b` })).toContain(`  ${path}…  `);
  });
});

function logged(style: "json" | "pretty", request: RecordedRequest): string {
  const output = { text: "", writableLength: 0, write: (text: string) => (output.text += text) };
  createRequestLog(style, output)(request);
  return output.text;
}

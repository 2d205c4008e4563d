import { execFile, spawnSync } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Arrived, created, reply, startPlantService } from "./plant-service.ts";
import { type Program, root, runProgram, startProgram } from "./run-program.ts";

/** How many requests createPlants sends before the first response: its initial window. */
const FIRST_WINDOW = 4;

const program = "examples/import-plants.ts";
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-plants-"));
  await mkdir(join(folder, "folder.csv"));
});
afterAll(() => rm(folder, { recursive: true }));

async function listOf(name: string, ...lines: string[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, lines.join("\n"));
  return file;
}

describe("the shipped list", () => {
  test("`npm start` creates 312 plants in the embedded mock and explains why the others are missing", async () => {
    const { stdout } = await promisify(execFile)("npm", ["start"], {
      cwd: root,
      shell: process.platform === "win32",
    });
    expect(stdout).toMatch(/^312 created, 1 refused, 6 bad lines in \d+\.\d\d s$/m);
    expect(stdout).toMatch(/^ {2}line 290: 400, code \d+: .*id/m);
    expect(stdout).toMatch(/^ {2}line 46: name is required; received: \d+,,/m);
    expect(stdout).toContain("line 50: id must be an integer from -9223372036854775808 to 9223372036854775807");
    expect(stdout).toContain("line 139: id must be an integer");
    expect(stdout).toContain("line 168: has 4 columns; the header has 3");
    expect(stdout).toContain("line 225: has an unclosed quote");
    expect(stdout).toContain("line 276: id must be an integer");
  });

  test("is created completely by a mock that limits requests, with a visible pause", async () => {
    await using store = await startMockPlantStore({ duplicateIds: "reject" });
    store.inject(faults.rateLimited(1), { when: ({ plant }) => plant !== undefined && store.plants.size >= 100 });
    const env = { PLANT_STORE_BASE_URL: store.clientOptions.baseUrl, PLANT_STORE_TOKEN: store.token };
    const { stdout } = await runProgram(program, { env });
    expect(stdout).toMatch(/^312 created, 1 refused, 6 bad lines in \d+\.\d\d s$/m);
    expect(stdout).toMatch(
      /^The service limits requests: a pause of 1 s after \d+ plants, then at most \d+ a second$/m,
    );
    expect([...store.requests].filter(({ status }) => status === 429)).toHaveLength(1);
    expect(store.plants.size).toBe(312);
  });

  test("reaches a service over HTTP, with an exact id above 2^53", async () => {
    await using service = await startPlantService();
    const { status, stdout, stderr } = await runProgram(program, { env: service.env });
    expect(stdout).toContain("313 created, 6 bad lines in");
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(service.arrived).toHaveLength(313);
    expect(service.arrived).toContainEqual({
      method: "POST",
      url: "/store/plants",
      authorization: "Bearer token-of-the-service",
      body: '{"id":9007199254740993,"name":"Wollemia nobilis","tag":"conifer"}',
    });
    expect(service.arrived.map(({ body }) => body)).toContain('{"id":1315,"name":"Welwitschia mirabilis"}');
  });
});

// test/lists reads the other formats, and every kind of invalid line.
describe("a list of the user", () => {
  test("is CSV from a spreadsheet: BOM, semicolons, CRLF, quotes, other columns, empty rows", async () => {
    await using service = await startPlantService();
    const file = await listOf(
      "own.CSV",
      '\uFEFF"Name";ID;Place\r',
      '"Rosa ""Peace""";0012;Bed 3\r',
      ";;\r",
      "\r",
      "Salvia × sylvestris;-9223372036854775808;\r",
    );
    const { status, stdout } = await runProgram(program, { args: [file], env: service.env });
    expect(stdout).toMatch(/^2 created in/m);
    expect(stdout).toContain("unknown columns: Place; expected id, name, tag");
    expect(status).toBe(0);
    expect(service.arrived.map(({ body }) => body).sort()).toEqual([
      '{"id":-9223372036854775808,"name":"Salvia × sylvestris"}',
      '{"id":12,"name":"Rosa \\"Peace\\""}',
    ]);
  });

  test("is a JSON array in one line, whose elements are counted", async () => {
    await using service = await startPlantService();
    const plants = ['{"id":1,"name":"Acer"}', '{"id":2}', '{"id":3,"name":"Rosa"}', '{"id":4,"name":"Salvia"}'];
    const file = await listOf("one-line.json", `[${plants},`);
    const { status, stdout } = await runProgram(program, { args: [file], env: service.env });
    expect(stdout).toMatch(/^3 created, 1 bad element in/m);
    expect(stdout).toMatch(/^Bad elements, not sent:\n {2}element 2: name is required; received: {"id":2}$/m);
    expect(stdout).toContain("The list could not be read to its end: Error: the JSON array is not closed");
    expect(stdout).toContain("Tried: elements 1, 3-4. Of these created: elements 1, 3-4.");
    expect(stdout).toContain("Nothing after element 4 was sent.");
    expect(status).toBe(1);
  });

  test("is CSV of which no cell holds a line break: no part of one becomes a plant", async () => {
    await using service = await startPlantService();
    const file = await listOf(
      "notes.csv",
      "id,name,notes",
      '1,Acer,"from the nursery:',
      "2,5 m high",
      '3,4 plants"',
      "4,Rosa",
    );
    const { stdout } = await runProgram(program, { args: [file], env: service.env });
    expect(stdout).toMatch(/^0 created, 4 bad lines in/m);
    expect(stdout).toContain("line 3: has 2 columns, after an unclosed quote; a cell cannot hold a line break");
    expect(service.arrived).toEqual([]);
  });

  test("is found from the folder in which npm was called", async () => {
    await using service = await startPlantService();
    await listOf("here.csv", "id,name", "1,Acer campestre");
    const { stdout } = await runProgram(program, { args: ["here.csv"], env: { ...service.env, INIT_CWD: folder } });
    expect(stdout).toContain("1 created");
  });
});

describe("the exit status", () => {
  async function importOnePlant(answer: (request: Arrived, response: ServerResponse) => void) {
    await using service = await startPlantService(answer);
    const file = await listOf("one.csv", "id,name,tag", "1,Acer campestre,tree");
    return await runProgram(program, { args: [file], env: service.env });
  }

  test("is 0 if the service rejects one plant of several, whose reason is decoded", async () => {
    await using service = await startPlantService((request, response) => {
      if (request.body.includes("tree")) reply(response, 400, { error: 7, message: "no more trees, please" });
      else created(request, response);
    });
    const file = await listOf("two.csv", "id,name,tag", "1,Acer campestre,tree", "2,Rosa canina,shrub");
    const { status, stdout } = await runProgram(program, { args: [file], env: service.env });
    expect(stdout).toContain("1 created, 1 refused in");
    expect(stdout).toContain("line 2: 400, code 7: no more trees, please; plant: 1,Acer campestre,tree\n");
    expect(status).toBe(0);
  });

  test("is 1 if the service rejects the only plant of the list", async () => {
    const { status, stdout } = await importOnePlant((_, response) =>
      reply(response, 400, { error: 7, message: "no more trees, please" }),
    );
    expect(stdout).toContain("0 created, 1 refused in");
    expect(status).toBe(1);
  });

  test("is 1 if every line of the list is invalid", async () => {
    const file = await listOf("bad.csv", "id,name", "one,Acer campestre");
    const { status, stdout } = await runProgram(program, { args: [file] });
    expect(stdout).toContain("0 created, 1 bad line in");
    expect(status).toBe(1);
  });

  test("is 0 for a list without lines", async () => {
    const file = await listOf("none.json", "[]");
    const { status, stdout } = await runProgram(program, { args: [file] });
    expect(stdout).toContain("0 created in");
    expect(status).toBe(0);
  });

  test("is 1 if the token is rejected", async () => {
    const { status, stdout } = await importOnePlant((_, response) =>
      reply(response, 401, { error: 1, message: "who are you?" }),
    );
    expect(stdout).toContain("0 created, 1 failed in");
    expect(stdout).toMatch(/Failed, and not created:\n {2}line 2: 401, code 1: who are you\?/);
    expect(status).toBe(1);
  });

  test("is 1 if the outcome for a plant is unknown, which is listed separately", async () => {
    const { status, stdout } = await importOnePlant((_, response) => response.writeHead(500).end("oops"));
    expect(stdout).toContain("0 created, 1 unknown in");
    expect(stdout).toMatch(/Unknown; these plants may exist.*:\n {2}line 2: response: /);
    expect(status).toBe(1);
  });

  test("is 1 if no service listens", async () => {
    const service = await startPlantService();
    await service[Symbol.asyncDispose]();
    const file = await listOf("one.csv", "id,name", "1,Acer campestre");
    const { status, stdout } = await runProgram(program, { args: [file], env: service.env });
    expect(stdout).toContain("0 created, 1 failed in");
    expect(stdout).toContain("line 2: connection: ");
    expect(status).toBe(1);
  });

  test("is 1 if ten plants in a row fail, and the rest of the list is not sent", async () => {
    await using service = await startPlantService((_, response) => response.writeHead(401).end());
    const { status, stdout } = await runProgram(program, { env: service.env });
    expect(stdout).toContain("Stopping (10 failures in a row)");
    expect(stdout).toMatch(/Nothing after line \d\d was sent\./);
    expect(stdout.match(/returned 401/g)).toHaveLength(1);
    expect(stdout).toMatch(/^ {2}lines 2-\d+.*: response: POST .* returned 401/m);
    expect(service.arrived.length).toBeLessThan(50);
    expect(status).toBe(1);
  });

  const refusedCalls = [
    { what: "an unknown flag", args: ["--fast"], says: /Unknown option '--fast'/ },
    {
      what: "a second file",
      args: ["a.csv", "b.csv"],
      says: /expected one FILE, received "b\.csv" as well; import one file at a time/,
    },
    {
      what: "a file of an unknown kind",
      args: ["plants.xlsx"],
      says: /plants\.xlsx: must end in \.csv, \.ndjson, \.jsonl, \.json; the ending names the format/,
    },
    { what: "a file that is not there", args: ["none.csv"], says: /none\.csv: cannot be read: ENOENT: no such file/ },
    { what: "a folder", args: ["folder.csv"], says: /folder\.csv: cannot be read: it is a folder/ },
    {
      what: "a base URL without a token",
      env: { PLANT_STORE_BASE_URL: "http://127.0.0.1:9" },
      says: /PLANT_STORE_BASE_URL is set and PLANT_STORE_TOKEN is not/,
    },
    {
      what: "a token without a base URL",
      env: { PLANT_STORE_TOKEN: "secret" },
      says: /PLANT_STORE_TOKEN is set and PLANT_STORE_BASE_URL is not/,
    },
  ];
  test.each(refusedCalls)("is 1 for $what, and stderr explains the problem", async ({ args = [], env = {}, says }) => {
    const { status, stdout, stderr } = await runProgram(program, { args, env: { INIT_CWD: folder, ...env } });
    expect(stderr).toMatch(says);
    expect(stdout, "nothing is started").toBe("");
    expect(status).toBe(1);
  });

  test("is 1 for a CSV file without a header", async () => {
    const file = await listOf("headless.csv", "1,Acer campestre");
    const { status, stderr } = await runProgram(program, { args: [file] });
    expect(stderr).toContain("must be a header with the columns id and name; received: 1,Acer campestre");
    expect(status).toBe(1);
  });

  test("is 0 for --help", async () => {
    const { status, stdout } = await runProgram(program, { args: ["--help"] });
    expect(stdout).toContain("Usage: npm start [-- FILE]");
    expect(status).toBe(0);
  });
});

describe("the output", () => {
  test("is plain lines if it is not a terminal", async () => {
    await using service = await startPlantService();
    const { stdout } = await runProgram(program, { env: service.env });
    expect(stdout).toMatch(/^line \d+: \d+ created(, \d bad lines?)?$/m);
    expect(stdout).not.toContain("\r");
    expect(stdout).not.toContain("\u001B");
  });

  test("is one updated line on a terminal, followed by the summary", async () => {
    await using service = await startPlantService();
    const { stdout } = await runProgram(program, { env: service.env, isTerminal: true });
    const rewritten = stdout.split("\r\u001B[K");
    expect(rewritten).toContainEqual(expect.stringMatching(/^line \d+: \d+ created/));
    expect(rewritten).toContainEqual(expect.stringMatching(/^313 created, 6 bad lines in .*\n$/));
  });
});

describe("a stopped import", () => {
  /** A service that does not respond until it is released. */
  async function startHeldService() {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const service = await startPlantService((request, response) => {
      released.then(() => created(request, response));
    });
    return Object.assign(service, { release });
  }

  function said(running: Program, text: string): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (running.stdout().includes(text)) resolve();
      };
      running.child.stdout?.on("data", look);
      look();
    });
  }

  test.each([
    { signal: "SIGINT", expected: 130 },
    { signal: "SIGTERM", expected: 143 },
    { signal: "SIGHUP", expected: 129 },
  ] as const)("by $signal sends no new plant, waits for those in flight, and says what was sent", async (row) => {
    await using service = await startHeldService();
    const running = startProgram(program, { env: service.env });
    await service.arrivals(FIRST_WINDOW);
    running.child.kill(row.signal);
    await said(running, `Stopping (${row.signal}): ${FIRST_WINDOW} plants in flight`);
    service.release();
    const { status, stdout } = await running.ended;
    expect(stdout).toContain(`${FIRST_WINDOW} created in`);
    expect(stdout).toContain("Tried: lines 2-5. Of these created: lines 2-5.");
    expect(stdout).toContain("Nothing after line 5 was sent.");
    expect(service.arrived).toHaveLength(FIRST_WINDOW);
    expect(status).toBe(row.expected);
  });

  test("lists plants without a response as unknown", async () => {
    await using service = await startHeldService();
    const running = startProgram(program, { env: service.env });
    await service.arrivals(FIRST_WINDOW);
    running.child.kill("SIGINT");
    const { status, stdout } = await running.ended;
    expect(stdout).toContain(`0 created, ${FIRST_WINDOW} unknown in`);
    expect(stdout).toMatch(/^ {2}line 5: aborted: /m);
    expect(status).toBe(130);
  });

  test("ends at once after a second Ctrl-C, and lists the lines whose plants may exist", async () => {
    await using service = await startHeldService();
    const running = startProgram(program, { env: service.env });
    await service.arrivals(FIRST_WINDOW);
    running.child.kill("SIGINT");
    await said(running, "Stopping (SIGINT)");
    // The first moments after a Ctrl-C count as the same key press.
    const again = setInterval(() => running.child.kill("SIGINT"), 100);
    const { status, stdout } = await running.ended;
    clearInterval(again);
    expect(stdout).toContain("In flight, and may be created: lines 2-5.");
    expect(stdout).not.toContain("unknown");
    expect(status).toBe(130);
  });

  test.each([
    "EPIPE",
    "EOF", // On Windows.
  ])("reports on stderr what was sent if its output is closed (%s)", async (code) => {
    await using service = await startHeldService();
    const setCode = `process.stdout.on("error", (error) => { error.code = "${code}" })`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(setCode)}`;
    const running = startProgram(program, { env: { ...service.env, NODE_OPTIONS } });
    await service.arrivals(FIRST_WINDOW);
    running.child.stdout?.destroy();
    service.release();
    const { status, stderr } = await running.ended;
    expect(stderr).toContain("Stopping (nobody reads the output)");
    expect(stderr).toMatch(/^\d{3} created, 2 bad lines in/m);
    expect(stderr).toMatch(/^Nothing after line 1\d\d was sent\.$/m);
    expect(service.arrived.length).toBeLessThan(200);
    expect(status).toBe(141);
  });

  test("reports everything on stderr if its output is closed before the summary", async () => {
    await using service = await startHeldService();
    const file = await listOf("two.csv", "id,name", "1,Acer campestre", "x,Abies alba");
    const running = startProgram(program, { args: [file], env: service.env });
    await service.arrivals(1);
    running.child.stdout?.destroy();
    service.release();
    const { status, stderr } = await running.ended;
    expect(stderr).toMatch(/^1 created, 1 bad line in/m);
    expect(stderr).toContain("line 3: id must be an integer");
    expect(status).toBe(141);
  });

  test("ends early if the service asks for a pause that is too long, and says so", async () => {
    await using service = await startPlantService((_request, response) => {
      response.setHeader("Retry-After", "3600");
      reply(response, 429, { error: 1, message: "come back later" });
    });
    const { status, stdout } = await runProgram(program, { env: service.env });
    expect(stdout).toMatch(/^The import ended early, because the service did not let it go on: .*429/m);
    expect(status).toBe(1);
  });

  describe.runIf(existsSync("/dev/full"))("if the disk is full", () => {
    const runOnFullDisk = (...args: string[]) =>
      spawnSync(process.execPath, ["--import", "tsx", program, ...args], {
        cwd: root,
        stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
        encoding: "utf8",
      });

    test("reports on stderr what was sent", () => {
      const { status, stderr } = runOnFullDisk();
      expect(stderr).toContain("Stopping (the output cannot be written: ENOSPC");
      expect(stderr).toContain("Nothing was sent.");
      expect(status).toBe(1);
    });

    test("says so instead of printing the help", () => {
      const { status, stderr } = runOnFullDisk("--help");
      expect(stderr).toMatch(/^import-plants: the output cannot be written: ENOSPC[^\n]*\n$/);
      expect(status).toBe(1);
    });
  });
});

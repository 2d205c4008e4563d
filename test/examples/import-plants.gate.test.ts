import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, created, reply, startPlantService } from "./plant-service.ts";
import { root, runProgram, startProgram } from "./run-program.ts";

/** How many requests createPlants sends before the first response: its initial window. */
const FIRST_WINDOW = 4;

const program = "examples/import-plants.ts";
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-plants-"));
  await mkdir(join(folder, "folder.csv"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Imports a list of the given lines into a service that answers in this way. */
async function importLines(lines: readonly string[], answer?: Answer) {
  await using service = await startPlantService(answer);
  await writeFile(join(folder, "own.csv"), lines.join("\n"));
  // npm names the folder of the person in this variable.
  const env = { ...service.env, INIT_CWD: folder };
  return { ...(await runProgram(program, { args: ["own.csv"], env })), arrived: service.arrived };
}

const refuse = (response: ServerResponse) => reply(response, 400, { error: 7, message: "no more trees, please" });

describe("the shipped list", () => {
  test("`npm start` creates 212 plants in the mock and explains why the others are missing", async () => {
    const { stdout } = await promisify(execFile)("npm", ["start"], {
      cwd: root,
      shell: process.platform === "win32",
    });
    expect(stdout).toMatch(/^212 created, 1 refused, 6 bad lines in \d+\.\d\d s$/m);
    expect(stdout).toMatch(/^ {2}line 190: 400, code \d+: .*id/m);
    expect(stdout).toMatch(/^Importing .*plants\.csv into a mock at http:\S+, which ends with this program$/m);
    expect(stdout).toContain("Next: set PLANT_STORE_BASE_URL and PLANT_STORE_TOKEN");
    for (const line of [46, 50, 139, 168, 172, 176]) expect(stdout).toMatch(new RegExp(`^  line ${line}: `, "m"));
  });

  test("is created completely by a mock that limits requests, with a visible pause", async () => {
    await using store = await startMockPlantStore({ duplicateIds: "reject" });
    store.inject(faults.rateLimited(1), { when: ({ plant }) => plant !== undefined && store.plants.size >= 100 });
    const env = { PLANT_STORE_BASE_URL: store.clientOptions.baseUrl, PLANT_STORE_TOKEN: store.token };
    const { stdout } = await runProgram(program, { env });
    expect(stdout).toMatch(/^212 created, 1 refused, 6 bad lines in \d+\.\d\d s$/m);
    expect(stdout).toMatch(/^A pause of 1 s after \d+ plants: POST .* returned 429/m);
    expect([...store.requests].filter(({ status }) => status === 429)).toHaveLength(1);
    expect(store.plants.size).toBe(212);
  });

  test("reaches a service over HTTP, with an exact id above 2^53", async () => {
    await using service = await startPlantService();
    const { status, stdout, stderr } = await runProgram(program, { env: service.env });
    expect(stdout).toContain("213 created, 6 bad lines in");
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(service.arrived).toHaveLength(213);
    expect(service.arrived).toContainEqual({
      method: "POST",
      url: "/store/plants",
      authorization: "Bearer token-of-the-service",
      body: '{"id":9007199254740993,"name":"Wollemia nobilis","tag":"conifer"}',
    });
  });
});

describe("the exit status", () => {
  test("is 0 if the service refuses one plant of several, and columns that are not sent are named", async () => {
    const list = ["id,name,tag,Bed", "1,Acer campestre,tree,3", "2,Rosa canina,shrub,4"];
    const { status, stdout } = await importLines(list, (request, response) => {
      if (request.body.includes("tree")) refuse(response);
      else created(request, response);
    });
    expect(stdout).toContain("1 created, 1 refused in");
    expect(stdout).toContain("unknown columns: Bed; expected id, name, tag");
    expect(stdout).toContain("line 2: 400, code 7: no more trees, please; plant: 1,Acer campestre,tree\n");
    expect(status).toBe(0);
  });

  test.each<[what: string, lines: string[], answer: Answer, says: RegExp]>([
    ["the service refuses the only plant", ["id,name", "1,Acer"], (_, response) => refuse(response), /1 refused in/],
    ["every line is invalid", ["id,name", "one,Acer"], created, /0 created, 1 bad line in/],
    ["the list has no header", ["1,Acer"], created, /must be a header with one column id/],
    [
      "the token is refused",
      ["id,name", "1,Acer"],
      (_, response) => reply(response, 401, { error: 1, message: "who are you?" }),
      /0 created, 1 failed in .*Failed, and not created:\n {2}line 2: 401, code 1: who are you\?/s,
    ],
    [
      "the outcome for a plant is unknown, which is listed separately",
      ["id,name", "1,Acer"],
      (_, response) => response.writeHead(500).end("oops"),
      /0 created, 1 unknown in .*Unknown; these plants may exist.*:\n {2}line 2: response: /s,
    ],
    [
      "the service asks for a pause that is too long",
      ["id,name", "1,Acer"],
      (_, response) => {
        response.setHeader("Retry-After", "3600");
        reply(response, 429, { error: 1, message: "come back later" });
      },
      /import-plants: .*429/,
    ],
  ])("is 1 if %s", async (_what, lines, answer, says) => {
    const { status, stdout, stderr } = await importLines(lines, answer);
    expect(stdout + stderr).toMatch(says);
    expect(status).toBe(1);
  });

  test("is 1 if no plant is created for some ten seconds, and the rest of the list is not sent", async () => {
    await using service = await startPlantService((_, response) => response.writeHead(401).end());
    const { status, stdout, stderr } = await runProgram(program, { env: service.env });
    expect(stderr).toMatch(/import-plants: POST .* returned 401/);
    expect(stdout).toMatch(/Nothing after line \d+ was sent\./);
    expect(service.arrived.length).toBeLessThan(50);
    expect(status).toBe(1);
  });

  test.each([
    { what: "a file of an unknown kind", args: ["plants.xlsx"], says: /plants\.xlsx: must end in \.csv or \.ndjson/ },
    { what: "a file that is not there", args: ["none.csv"], says: /^import-plants: there is no file .*none\.csv\n$/ },
    { what: "a folder", args: ["folder.csv"], says: /there is no file .*folder\.csv/ },
    { what: "a base URL alone", env: { PLANT_STORE_BASE_URL: "http://127.0.0.1:9" }, says: /set both/ },
    { what: "a token alone", env: { PLANT_STORE_TOKEN: "secret" }, says: /set both/ },
  ])("is 1 for $what, and stderr explains the problem", async ({ args = [], env = {}, says }) => {
    const { status, stdout, stderr } = await runProgram(program, { args, env: { INIT_CWD: folder, ...env } });
    expect(stderr).toMatch(says);
    expect(stdout).not.toContain("mock");
    expect(status).toBe(1);
  });
});

describe("with a file of rejects", () => {
  const args = ["own.csv", "--rejects", "rejects.csv"];
  const path = () => join(folder, "rejects.csv");
  const importInto = async (answer: Answer) => {
    await using service = await startPlantService(answer);
    await writeFile(join(folder, "own.csv"), 'id,name\n1,Acer\none,"Rosa, red"\n3,Salix\n4,Tilia\n');
    await writeFile(path(), "of the last run");
    return await runProgram(program, { args, env: { ...service.env, INIT_CWD: folder } });
  };

  test("it has each line that was not created, as it was, in place of the file of the last run", async () => {
    const { status, stdout } = await importInto((request, response) => {
      if (request.body.includes("Salix")) refuse(response);
      else if (request.body.includes("Tilia")) response.writeHead(500).end();
      else created(request, response);
    });
    const rows: { line: string }[] = parse(await readFile(path(), "utf8"), { columns: true });
    expect(rows.toSorted((one, other) => Number(one.line) - Number(other.line))).toEqual([
      { line: "3", outcome: "not-sent", reason: expect.stringContaining("id must be"), text: 'one,"Rosa, red"' },
      { line: "4", outcome: "rejected", reason: "400, code 7: no more trees, please", text: "3,Salix" },
      { line: "5", outcome: "unknown", reason: expect.stringContaining("returned 500"), text: "4,Tilia" },
    ]);
    expect(stdout).toMatch(/1 created, 1 refused, 1 bad line, 1 unknown in .* s\nThe lines that .*: \S+rejects\.csv\n/);
    expect(status).toBe(1);
  });

  test("that of a run which does not come to its end replaces none", async () => {
    const { status, stdout } = await importInto((_, response) => {
      response.setHeader("Retry-After", "3600");
      reply(response, 429, { error: 1, message: "come back later" });
    });
    expect(stdout).toMatch(/The lines that were not created: \S+rejects\.csv\.new\n/);
    expect(await readFile(path(), "utf8")).toBe("of the last run");
    expect(status).toBe(1);
  });
});

describe("with a journal", () => {
  const args = ["own.csv", "--journal", "own.journal"];

  test("an import that was killed continues: no plant is sent twice, and one in flight is listed", async () => {
    await writeFile(join(folder, "own.csv"), "id,name\n1,Acer\n2,Rosa\n3,Salix\n");
    let isFirst = true;
    await using service = await startPlantService((request, response) => {
      if (isFirst && request.body.includes("Rosa")) return;
      created(request, response);
    });
    const env = { ...service.env, INIT_CWD: folder };
    const running = startProgram(program, { args, env });
    await service.arrivals(3);
    running.child.kill("SIGKILL");
    await running.ended;
    isFirst = false;
    const { status, stdout } = await runProgram(program, { args, env });
    expect(stdout).toMatch(/0 created, [123] unknown in/);
    expect(stdout).toMatch(/^ {2}line 3: interrupted: The plant with id 2 may have been sent before, /m);
    expect(stdout).toContain("To continue: npm start -- own.csv --journal own.journal\n");
    expect(service.arrived).toHaveLength(3);
    expect(status).toBe(1);
  });

  test("an import that is complete except for bad lines may be started again: the exit status is 0", async () => {
    await using service = await startPlantService();
    await writeFile(join(folder, "bad.csv"), "id,name\n1,Acer\none,Rosa\n");
    const run = () =>
      runProgram(program, {
        args: ["bad.csv", "--journal", "bad.journal"],
        env: { ...service.env, INIT_CWD: folder },
      });
    expect([(await run()).status, (await run()).status]).toEqual([0, 0]);
    expect(service.arrived).toHaveLength(1);
  });

  test("a row that is there twice is created once, and counted as skipped", async () => {
    await using service = await startPlantService();
    await writeFile(join(folder, "same.csv"), "id,name\n1,Acer\n1,Acer\n2,Rosa\n");
    const options = { args: ["same.csv", "--journal", "same.journal"], env: { ...service.env, INIT_CWD: folder } };
    expect((await runProgram(program, options)).stdout).toContain("2 created, 1 skipped (created before) in");
  });

  test("list, journal and rejects must be different files, also by a link", async () => {
    await writeFile(join(folder, "list.csv"), "id,name\n1,Acer\n");
    await symlink(join(folder, "list.csv"), join(folder, "link.csv.new"));
    const env = { INIT_CWD: folder };
    for (const [args, says] of [
      [["--rejects", "list.csv"], "the list and --rejects are the same file"],
      [["--rejects", "link.csv"], "the list and --rejects are the same file"],
      [["--journal", "./list.csv"], "the list and --journal are the same file"],
      [["--journal", "new.csv", "--rejects", "new.csv"], "--journal and --rejects are the same file"],
    ] as const) {
      const { status, stderr } = await runProgram(program, { args: ["list.csv", ...args], env });
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(says) });
    }
    expect(await readFile(join(folder, "list.csv"), "utf8")).toBe("id,name\n1,Acer\n");
  });

  test("the mock is refused: it starts empty", async () => {
    const { status, stderr } = await runProgram(program, { args, env: { INIT_CWD: folder } });
    expect(stderr).toContain("--journal needs a service: the mock starts empty each time");
    expect(status).toBe(1);
  });
});

test.each([
  { signal: "SIGINT", expected: 130 },
  { signal: "SIGTERM", expected: 143 },
  { signal: "SIGHUP", expected: 129 },
] as const)("$signal stops the import: no new plant is sent, and those in flight finish", async (row) => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await using service = await startPlantService((request, response) => {
    released.then(() => created(request, response));
  });
  const running = startProgram(program, { env: service.env });
  await service.arrivals(FIRST_WINDOW);
  running.child.kill(row.signal);
  while (!running.stdout().includes(`Stopping (${row.signal})`)) await once(running.child.stdout, "data");
  release();
  const { status, stdout } = await running.ended;
  expect(service.arrived).toHaveLength(FIRST_WINDOW);
  expect(stdout).toContain(`${FIRST_WINDOW} created in`);
  expect(stdout).toContain("Nothing after line 5 was sent.");
  expect(status).toBe(row.expected);
});

test("a pipe that is closed stops the import: plants in flight finish, and none is unclear", async () => {
  await writeFile(
    join(folder, "own.csv"),
    `id,name\n${Array.from({ length: 500 }, (_, id) => `${id},Fern\n`).join("")}`,
  );
  await using service = await startPlantService(created);
  const args = ["own.csv", "--journal", "pipe.journal"];
  const running = startProgram(program, { args, env: { ...service.env, INIT_CWD: folder } });
  // Before its first line, so that this line fails.
  running.child.stdout.destroy();
  const { status } = await running.ended;
  expect(status).toBe(141);
  const journal = await readFile(join(folder, "pipe.journal"), "utf8");
  expect(journal.match(/ \+ /g) ?? []).toHaveLength(service.arrived.length);
});

test("plants in flight are aborted by another Ctrl-C, may exist, and are listed", async () => {
  await using service = await startPlantService(() => {});
  const running = startProgram(program, { env: service.env });
  await service.arrivals(FIRST_WINDOW);
  // As the terminal and npm do, which is not the second one yet; and then in earnest.
  const pressing = setInterval(() => running.child.kill("SIGINT"), 100);
  running.child.stdout.on("data", (text: string) => {
    // One that arrives while the process exits would end it with the signal.
    if (text.includes(" unknown in")) clearInterval(pressing);
  });
  const { status, stdout } = await running.ended;
  clearInterval(pressing);
  expect(stdout).toContain(`0 created, ${FIRST_WINDOW} unknown in`);
  expect(stdout).toMatch(/^ {2}line 5: aborted: /m);
  expect(status).toBe(130);
});

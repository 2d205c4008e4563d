import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importRest } from "../../examples/many-plants-resume/import-rest.ts";
import { type Arrived, created, reply, startPlantService } from "./plant-service.ts";
import { runProgram, startProgram } from "./run-program.ts";

const program = "test/examples/resumable-import.ts";
let folder: string;
let checkpoint: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "many-plants-resume-"));
  checkpoint = join(folder, "checkpoint.ndjson");
});
afterEach(() => rm(folder, { recursive: true }));

const HEADER = '["id of a plant","its state"]\n';
const idOf = ({ body }: Arrived): number => JSON.parse(body).id;

test("a killed import continues: nothing is sent twice, and plants in flight are left to a person", async () => {
  let answered = 0;
  await using service = await startPlantService((request, response) => {
    if (answered < 30) created(request, response);
    answered++; // from the 31st on, no answer ever comes
  });
  const killed = startProgram(program, { args: [checkpoint], env: service.env });
  // createPlants has more requests in flight as more succeed; at least these are.
  await service.arrivals(36);
  killed.child.kill("SIGKILL");
  await killed.ended;

  answered = -1_000;
  const { status, stdout } = await runProgram(program, { args: [checkpoint], env: service.env });
  expect(status).toBe(0);
  const { mayExist, refused } = JSON.parse(stdout);
  expect(refused).toEqual([]);
  const ids = service.arrived.map(idOf);
  expect(new Set(ids).size).toBe(ids.length);
  // Every plant was sent, or may have been: none is lost.
  expect(new Set([...ids, ...mayExist.map(Number)]).size).toBe(200);
  // Every plant without a response before the kill is among those to check.
  expect(mayExist.map(Number)).toEqual(expect.arrayContaining(ids.slice(30, 36)));
});

test("rejected plants are not sent again; others are", async () => {
  let isBusy = true;
  await using service = await startPlantService((request, response) => {
    const id = idOf(request);
    if (id === 5) reply(response, 400, { error: 1, message: "no" });
    else if (id === 6 && isBusy) reply(response, 401, { error: 2, message: "log in again" });
    else if (id === 7) response.writeHead(500).end();
    else created(request, response);
  });
  const first = await runProgram(program, { args: [checkpoint], env: service.env });
  const leftover = { notCreated: ["6"], refused: ["5"], mayExist: ["7"], repeated: [] };
  expect(JSON.parse(first.stdout)).toEqual(leftover);
  const sentBefore = service.arrived.length;
  isBusy = false;
  const second = await runProgram(program, { args: [checkpoint], env: service.env });
  expect(JSON.parse(second.stdout)).toEqual({ ...leftover, notCreated: [] });
  expect(service.arrived.slice(sentBefore).map(idOf)).toEqual([6]);
});

test("a line that a crash truncated counts as not written", async () => {
  await using service = await startPlantService(created);
  await appendFile(checkpoint, `${HEADER}["1","sent"]\n["1","created"]\n["2","se`);
  await runProgram(program, { args: [checkpoint], env: service.env });
  expect(service.arrived.map(idOf).toSorted((one, other) => one - other)[0]).toBe(2);
  expect(service.arrived).toHaveLength(199);
  const lines = (await readFile(checkpoint, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line)).slice(1, 4)).toEqual([
    ["1", "sent"],
    ["1", "created"],
    ["2", "sent"],
  ]);
});

test("a header that a crash truncated is completed", async () => {
  const store = createMockPlantStore();
  await appendFile(checkpoint, HEADER.slice(0, 10));
  await importRest(new PlantStoreClient(store.clientOptions), [{ id: 1, name: "Acer campestre" }], checkpoint);
  expect(await readFile(checkpoint, "utf8")).toBe(`${HEADER}["1","sent"]\n["1","created"]\n`);
});

test("a list that uses one object for all of its plants loses none", async () => {
  const store = createMockPlantStore();
  store.inject(faults.lostResponse(), { when: { id: 3 } });
  function* list() {
    const plant = { id: 0, name: "Acer campestre" };
    for (plant.id = 1; plant.id <= 8; plant.id++) yield plant;
  }
  const leftover = await importRest(new PlantStoreClient(store.clientOptions), list(), checkpoint);
  expect(leftover).toEqual({ notCreated: [], refused: [], mayExist: ["3"], repeated: [] });
  expect([...store.requests].map(({ plant }) => plant?.id).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a second plant with the same id is not sent, and is reported", async () => {
  const store = createMockPlantStore();
  const client = new PlantStoreClient(store.clientOptions);
  const list = [
    { id: 1, name: "Acer campestre" },
    { id: 2, name: "Abies alba" },
    { id: 1, name: "Acer palmatum" },
  ];
  for (let run = 1; run <= 2; run++) {
    const leftover = await importRest(client, list, checkpoint);
    expect(leftover).toEqual({ notCreated: [], refused: [], mayExist: [], repeated: ["1"] });
    expect([...store.requests].map(({ plant }) => plant?.name).toSorted()).toEqual(["Abies alba", "Acer campestre"]);
  }
});

test.each([
  ["a list of plants in one line", '[{"id":1,"name":"Acer campestre"}]', 1],
  ["a table", "id,name\n1,Acer campestre", 1],
  ["a list of names in one line", '["Acer campestre","Abies alba"]', 1],
  ["a checkpoint with lines of something else", `${HEADER}["1","sent"]\n["2","gone"]\n`, 3],
  ["a checkpoint that goes on as something else", `${HEADER}["1","sent"]\n{"id":2`, 3],
])("%s is not taken for a checkpoint, and keeps every byte", async (_what, text, line) => {
  await writeFile(checkpoint, text);
  const store = createMockPlantStore();
  const client = new PlantStoreClient(store.clientOptions);
  const message = `${checkpoint} is not a checkpoint: line ${line} is something else`;
  await expect(importRest(client, [{ id: 1, name: "Acer campestre" }], checkpoint)).rejects.toThrow(message);
  expect(await readFile(checkpoint, "utf8")).toBe(text);
  expect(store.requests.count).toBe(0);
});

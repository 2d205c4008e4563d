import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { NewPlant } from "plant-store-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { splitArray } from "../../examples/import-plants/json.ts";
import { openList } from "../../examples/import-plants/read-list.ts";
import { lists } from "./lists.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lists-"));
  for (const { file, content } of lists) writeFileSync(join(folder, file), content);
});
afterAll(() => rmSync(folder, { recursive: true }));

const sameIds = (plants: readonly NewPlant[]) => plants.map((plant) => ({ ...plant, id: BigInt(plant.id) }));

describe.each(lists)("$file", ({ file, plants = [], problems = [], unknownColumns = [], failure }) => {
  test("is read: each plant, each invalid row, each unknown column", async () => {
    const read = { plants: [] as NewPlant[], problems: [] as string[], unknownColumns: new Set<string>() };
    const reading = (async () => {
      const { unit, rows } = await openList(join(folder, file));
      for await (const entry of rows) {
        if ("problem" in entry) read.problems.push(`${unit} ${entry.number}: ${entry.problem}`);
        else read.plants.push(entry.plant);
        for (const column of entry.unknownColumns ?? []) read.unknownColumns.add(column);
      }
    })();
    if (failure !== undefined) return expect(reading).rejects.toThrow(new Error(failure));
    await reading;
    expect(read.plants).toEqual(sameIds(plants));
    expect(read.problems).toEqual(problems);
    expect([...read.unknownColumns]).toEqual(unknownColumns);
  });
});

// A reader that looked at each column for each line would still read when the test times out.
test("50,000 short lines under a header of 50,000 columns are read in time", { timeout: 60_000 }, async () => {
  const path = join(folder, "wide.csv");
  const columns = Array.from({ length: 50_000 }, (_, i) => `c${i}`);
  writeFileSync(path, `id,name,${columns}\n${"1,Acer\n".repeat(50_000)}`);
  let count = 0;
  for await (const _row of (await openList(path)).rows) count++;
  expect(count).toBe(50_000);
});

test("the import accepts a line of 3 MB, and a CRLF that is split between two reads", async () => {
  const path = join(folder, "long.ndjson");
  const first = `{"id":1,"name":"${"x".repeat(64 * 1024 - 19)}"}`;
  writeFileSync(path, `${first}\r\n{"id":2,"name":"${"y".repeat(3e6)}"}\r\n\r\n{"id":3,"name":"z"}`);
  expect(first).toHaveLength(64 * 1024 - 1);
  const lines: [number, number][] = [];
  for await (const entry of (await openList(path)).rows) {
    if ("plant" in entry) lines.push([entry.number, entry.plant.name.length]);
  }
  expect(lines).toEqual([
    [1, 64 * 1024 - 19],
    [2, 3e6],
    [4, 1],
  ]);
});

test("a list that is closed before its end is not read", async () => {
  const path = join(folder, "closed.csv");
  writeFileSync(path, "id,name\n1,a\n");
  const list = await openList(path);
  await list[Symbol.asyncDispose]();
  await expect(Readable.from(list.rows).toArray()).rejects.toThrow();
});

test("the import accepts a JSON array with a text of 16 MB", async () => {
  const path = join(folder, "long.json");
  writeFileSync(path, `[{"id":1,"name":"${"x".repeat(2 ** 24)}"}]`);
  const lengths: number[] = [];
  for await (const entry of (await openList(path)).rows) if ("plant" in entry) lengths.push(entry.plant.name.length);
  expect(lengths).toEqual([2 ** 24]);
});

test.each([
  ["a.csv", (name: string) => `id,name\n1,a\n2,${name}\n3,c\n`, "2,"],
  [
    "a.ndjson",
    (name: string) => `{"id":1,"name":"a"}\n{"id":2,"name":"${name}"}\n{"id":3,"name":"c"}`,
    '{"id":2,"name":"',
  ],
  [
    "a.json",
    (name: string) => `[{"id":1,"name":"a"},{"id":2,"name":"${name}"},{"id":3,"name":"c"}]`,
    '{"id":2,"name":"',
  ],
])("the import refuses a row of 34 MB in %s, and reads the others", async (file, contentWith, start) => {
  const path = join(folder, file);
  writeFileSync(path, contentWith("x".repeat(2 ** 25)));
  const ids: unknown[] = [];
  const problems: string[] = [];
  for await (const entry of (await openList(path)).rows) {
    if ("plant" in entry) ids.push(entry.plant.id);
    else problems.push(entry.problem);
  }
  expect(ids).toEqual([1n, 3n]);
  expect(problems).toEqual([
    `is longer than 33554432 characters; received: ${start}${"x".repeat(100 - start.length)}…`,
  ]);
});

const arrays = lists.filter(
  ({ file, content, failure }) => /\.json$/.test(file) && typeof content === "string" && !failure,
);

test.each(arrays)("the import splits $file in the same way, no matter how it arrives", async ({ content }) => {
  const text = String(content).replace("\uFEFF", "");
  const split = (length: number) => Readable.from(splitArray(pieces(text, length))).toArray();
  const whole = await split(text.length);
  for (const length of [1, 2, 3, 5]) expect(await split(length)).toEqual(whole);
});

async function* pieces(text: string, length: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
}

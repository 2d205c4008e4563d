import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowOf } from "../../mock/service/faults/fault.ts";
import { faultTable } from "../../mock/service/faults/fault-table.ts";
import { adapters, type OpenAdapter } from "./adapters.ts";
import { rows } from "./fault-rows.ts";

it("there is a row for every fault, in the order of the mock's own table", () => {
  const types = new Set(Object.values(rows).map(({ example }) => example.type));
  expect([...types]).toEqual(Object.keys(faultTable));
});

describe.each(adapters)("$name", ({ isInMemory, open }) => {
  let opened: OpenAdapter;

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  const all = Object.entries(rows).map(([name, row]) => ({ name, ...row, ...rowOf(row.example) }));

  it.each(all.filter(({ isInMemoryOnly }) => isInMemory || !isInMemoryOnly))(
    "$name reaches the client as the table says",
    async ({ example, kind, outcome, isStored }) => {
      expect(await opened.observe(example)).toEqual({ kind, outcome, isStored });
    },
  );

  it.runIf(!isInMemory).each(all.filter(({ isInMemoryOnly }) => isInMemoryOnly))(
    "$name is refused, and the message names the mock that can do it",
    async ({ example }) => {
      await expect(opened.observe(example)).rejects.toThrow(
        /only the in-memory mock can reproduce it; use the fetch of a mock from createMockPlantStore\(\)/,
      );
    },
  );
});

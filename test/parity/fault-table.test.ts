import { connectMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowOf } from "../../mock/service/faults/check-fault.ts";
import { faultTable } from "../../mock/service/faults/fault-table.ts";
import { adapters } from "../mock/adapters.ts";
import { rows } from "./fault-rows.ts";
import { type ObservedMock, observe } from "./observe.ts";

it("there is a row for every fault, in the order of the mock's own table", () => {
  const types = new Set(Object.values(rows).map(({ example }) => example.type));
  expect([...types]).toEqual(Object.keys(faultTable));
});

/** The adapters that run in this process. The service worker has its own test, in a page. */
const opened: Record<string, () => Promise<{ mock: ObservedMock; close(): Promise<void> | void }>> = {
  ...adapters,
  "HTTP, by remote control": async () => {
    const { mock: server } = await adapters.HTTP();
    const mock = await connectMockPlantStore(server.url);
    return { mock, close: () => mock.close().then(server.close) };
  },
};

describe.each(Object.entries(opened))("%s", (name, open) => {
  const isInMemory = name === "in memory";
  let adapter: Awaited<ReturnType<typeof open>>;

  beforeAll(async () => {
    adapter = await open();
  });
  afterAll(() => adapter.close());

  const all = Object.entries(rows).map(([name, row]) => ({ name, ...row, ...rowOf(row.example) }));

  it.each(all.filter(({ isInMemoryOnly }) => isInMemory || !isInMemoryOnly))(
    "$name reaches the client as the table says",
    async ({ example, kind, outcome, isStored }) => {
      expect(await observe(adapter.mock, example)).toEqual({ kind, outcome, isStored });
    },
  );

  it.runIf(!isInMemory).each(all.filter(({ isInMemoryOnly }) => isInMemoryOnly))(
    "$name is refused, and the message names the mock that can do it",
    async ({ example }) => {
      await expect(observe(adapter.mock, example)).rejects.toThrow(
        /only the in-memory mock can reproduce it; use the fetch of a mock from createMockPlantStore\(\)/,
      );
    },
  );
});

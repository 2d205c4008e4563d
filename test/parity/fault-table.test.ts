import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultTable } from "../../mock/service/faults/fault-table.ts";
import { adapters, type OpenAdapter } from "./adapters.ts";
import { examples, types } from "./fault-rows.ts";

describe.each(adapters)("$name", ({ door, open }) => {
  let adapter: OpenAdapter;

  beforeAll(async () => {
    adapter = await open();
  });
  afterAll(() => adapter.close());

  it.each(types.filter((type) => !faultTable[type].cannot.includes(door)))(
    "%s reaches the client as the table says",
    async (type) => {
      const { kind, outcome, isStored } = faultTable[type];
      expect(await adapter.observe(examples[type])).toEqual({ kind, outcome, isStored });
    },
  );

  const refused = types.filter((type) => faultTable[type].cannot.includes(door));
  it.runIf(refused.length > 0).each(refused)(
    "%s is refused, and the message names a form that can do it",
    async (type) => {
      await expect(adapter.observe(examples[type])).rejects.toThrow(
        /cannot do it; use the in-memory form \(session\.fetch\).* on a mock of its own/,
      );
    },
  );
});

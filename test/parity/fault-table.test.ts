import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definitionOf, faultDefinitions } from "../../mock/service/faults/fault.ts";
import { adapters, type OpenAdapter } from "./adapters.ts";
import { rows } from "./fault-rows.ts";

it("there is a row for every fault, in the order of the mock's own table", () => {
  expect(Object.keys(rows)).toEqual(Object.keys(faultDefinitions));
});

describe.each(adapters)("$name", ({ adapter, open }) => {
  let opened: OpenAdapter;

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  const all = Object.values(rows).map((row) => ({ ...row, ...definitionOf(row.example) }));

  it.each(all.filter(({ cannot }) => !cannot.includes(adapter)))(
    "$type reaches the client as the table says",
    async ({ example, kind, outcome, isStored }) => {
      expect(await opened.observe(example)).toEqual({ kind, outcome, isStored });
    },
  );

  const refused = all.filter(({ cannot }) => cannot.includes(adapter));
  it.runIf(refused.length > 0).each(refused)(
    "$type is refused, and the message names an adapter that can do it",
    async ({ example }) => {
      await expect(opened.observe(example)).rejects.toThrow(
        /cannot reproduce it; create another mock and use the in-memory mock \(session\.fetch\)/,
      );
    },
  );
});

import { expect, test } from "vitest";
import { importByTwo, importWithKills } from "./fixtures/kills.ts";

test.each([
  ["", {}],
  [" with random refusals and resets", { refused: 0.02, reset: 0.01 }],
])("an import that is killed five times%s loses nothing and creates nothing twice", async (_, faults) => {
  const { unknown, resets, ...rest } = await importWithKills({ kills: 5, plants: 1_000, ...faults });
  expect(rest).toEqual({ status: 0, lost: 0, twice: 0 });
  expect(unknown).toBeLessThanOrEqual(5 * 16 + resets);
});

test("two processes with one journal never create a plant twice: one at least stops", async () => {
  const { twice, oneStopped, bothStopped } = await importByTwo({ tries: 20, plants: 30 });
  expect(twice).toBe(0);
  expect(oneStopped + bothStopped).toBeGreaterThan(0);
});

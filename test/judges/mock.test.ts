import fc from "fast-check";
import { createMockPlantStore } from "plant-store-client/mock";
import { expect, test } from "vitest";
import { declaredOperations, namesOf } from "../declared-operations.ts";
import { INT64_MAX, INT64_MIN } from "../int64-values.ts";
import { isNewPlant, judgeReply, textOf } from "./contract.ts";
import { drafts, edgeDrafts, edgeIntegers } from "./drafts.ts";

const RUNS = 1_250;

test("every operation of the contract has a judge in this folder", () => {
  expect(namesOf(declaredOperations)).toEqual(["POST /plants"]);
});

test("the mock responds to every body as the contract says: 200 to a NewPlant, 400 to any other", async () => {
  const mock = createMockPlantStore();
  let taken = 0;
  const property = fc.asyncProperty(drafts, async (draft) => {
    mock.reset();
    const body = textOf(draft);
    const response = await mock.fetch(`${mock.baseUrl}/plants`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${mock.token}` },
      body,
    });
    const answer = await response.text();
    expect(judgeReply("POST /plants", response.status, response.headers.get("content-type"), answer)).toEqual([]);
    expect(response.status, body).toBe(isNewPlant(draft) ? 200 : 400);
    expect(mock.plants.size).toBe(response.status === 200 ? 1 : 0);
    if (response.status === 200) taken++;
  });
  await fc.assert(property, { numRuns: RUNS, examples: [...edgeDrafts] });
  // Otherwise the drafts would not be near the limit.
  expect(taken).toBeGreaterThan(RUNS / 10);
  expect(taken).toBeLessThan((RUNS * 9) / 10);
});

test("the mock keeps the exact id of every plant", async () => {
  const mock = createMockPlantStore();
  const isInt64 = (id: bigint) => INT64_MIN <= id && id <= INT64_MAX;
  const ids = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
  const property = fc.asyncProperty(ids, async (id) => {
    mock.reset();
    await mock.fetch(`${mock.baseUrl}/plants`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${mock.token}` },
      body: `{"name":"Acer campestre","id":${id}}`,
    });
    expect([...mock.plants].map((plant) => `${plant.id}`)).toEqual([`${id}`]);
    expect(`${mock.requests.last?.plant?.id}`).toBe(`${id}`);
  });
  await fc.assert(property, { numRuns: 500, examples: edgeIntegers.filter(isInt64).map((id) => [id]) });
});

import fc from "fast-check";
import type { NewPlant } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";
import { expect, test } from "vitest";
import { BODY_TEXT_LIMIT } from "../../mock/service/request.ts";
import { encodeNewPlant } from "../../src/contract/encode-new-plant.ts";
import type { ValidNewPlant } from "../../src/contract/plant.ts";
import { INT64_MAX, INT64_MIN } from "../int64-values.ts";
import { post } from "../mock/post.ts";
import { assertProperty, timeoutMs } from "./assert-property.ts";

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "\n", "\ud800", "a\udc00", "\u2028", "\0", "\\", '"', "__proto__", "x".repeat(20_000)),
);
const ids = fc.oneof(
  fc.integer({ min: 0, max: 9 }),
  fc.constantFrom<number | bigint>(INT64_MIN, INT64_MAX, 2n ** 53n, 2 ** 53 - 1, -(2 ** 53) + 1),
);
const plants = fc.record<NewPlant>({ id: ids, name: texts, tag: texts }, { requiredKeys: ["id", "name"] });

const step = fc.record({ plant: plants, how: fc.constantFrom("post", "add", "reset", "begin") });

test("the plants of a session are those of a plain list", { timeout: timeoutMs }, async () => {
  const property = fc.asyncProperty(
    fc.array(plants, { maxLength: 3 }),
    fc.array(step),
    async (initialPlants, steps) => {
      const mock = createMockPlantStore({ initialPlants, duplicateIds: "reject" });
      let expected: NewPlant[] = [...initialPlants];
      let posted: [number, NewPlant | undefined][] = [];
      const begun: [Iterator<NewPlant>, NewPlant[]][] = [];
      for (const { plant, how } of steps) {
        if (how === "reset") {
          mock.reset();
          [expected, posted] = [[...initialPlants], []];
        } else if (how === "begin") {
          const iterator = mock.plants[Symbol.iterator]();
          if (!iterator.next().done) begun.push([iterator, expected.slice(1)]);
        } else if (how === "add") {
          mock.plants.add(plant);
          expected.push(plant);
        } else {
          const isTaken = expected.some(({ id }) => id === plant.id);
          const body = encodeNewPlant(plant as ValidNewPlant);
          const { status } = await post(mock, body);
          expect(status).toBe(isTaken ? 400 : 200);
          if (!isTaken) expected.push(plant);
          // No plant of a long body is recorded.
          posted.push([status, body.length > BODY_TEXT_LIMIT ? undefined : plant]);
        }
        expect(mock.plants.get(plant.id)).toEqual(expected.findLast(({ id }) => id === plant.id));
      }
      expect([...mock.plants]).toEqual(expected);
      expect(Array.from(mock.requests, (request) => [request.status, request.plant])).toEqual(posted);
      for (const [iterator, rest] of begun) expect([...{ [Symbol.iterator]: () => iterator }]).toEqual(rest);
    },
  );
  await assertProperty(property, 200);
});

import { readFileSync } from "node:fs";
import { type NewPlant, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";
import { connectMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { INT64_MAX } from "../int64-values.ts";

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const { schemas }: { schemas: Record<string, Schema> } = parse(
  readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8"),
).components;

/** The properties of a schema, with those of the schemas that it consists of. */
function propertiesOf({ $ref, allOf = [], properties = {} }: Schema): Record<string, Schema> {
  const referred = $ref === undefined ? [] : [schemas[$ref.split("/").at(-1) as string] as Schema];
  return Object.assign({}, ...[...referred, ...allOf].map(propertiesOf), properties);
}

/** A value of each type that a property of a plant may have. */
const VALUES: Record<string, (name: string) => unknown> = {
  string: (name) => `the ${name}`,
  "integer int64": () => INT64_MAX,
};

/** A plant with every property of its schema in openapi.yaml. */
function plantOf(name: "Plant" | "NewPlant"): Record<string, unknown> {
  const fields = Object.entries(propertiesOf(schemas[name] as Schema)).map(([field, { type, format }]) => {
    const make = VALUES[format ? `${type} ${format}` : `${type}`];
    if (!make) throw new Error(`No value of ${field} is known here: add its type to VALUES`);
    return [field, make(field)];
  });
  return Object.fromEntries(fields);
}

const WHOLE = plantOf("NewPlant") as unknown as NewPlant;
const RETURNED = plantOf("Plant");

/** A plant as JSON may carry it: its integers are compared by their digits, wherever they stand. */
const digitsOf = (plant: object) =>
  Object.fromEntries(
    Object.entries(plant).map(([name, value]) => [name, typeof value === "string" ? value : `${value}`]),
  );
const parseDigits = (text = "") => JSON.parse(text.replaceAll(/:(-?\d+)/g, ':"$1"'));

test("every property of a plant goes through the client, the wire, the mock's store, the response and the recorded request", async () => {
  using mock = createMockPlantStore({ unknownFields: "reject" });
  const client = new PlantStoreClient(mock.clientOptions);
  expect(await client.createPlant(WHOLE)).toEqual(RETURNED);
  expect(parseDigits(mock.requests.last?.bodyText)).toEqual(digitsOf(WHOLE));
  expect(mock.requests.last?.plant).toEqual(WHOLE);
  expect([...mock.plants]).toEqual([WHOLE]);
  expect([...createMockPlantStore({ initialPlants: [WHOLE] }).plants]).toEqual([WHOLE]);
});

test("every property of a plant goes through the remote control, in both directions", async () => {
  await using mock = await startMockPlantStore();
  await using remote = await connectMockPlantStore(mock.url);
  await new PlantStoreClient(mock.clientOptions).createPlant(WHOLE);
  expect(await remote.plants.get(WHOLE.id)).toEqual(WHOLE);
  expect((await remote.requests.last)?.plant).toEqual(WHOLE);
  const other = { ...WHOLE, id: 1 };
  await remote.plants.add(other);
  expect(mock.plants.get(1)).toEqual(other);
});

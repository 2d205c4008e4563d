import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { PlantStoreClient } from "plant-store-client";
import { faults } from "plant-store-client/mock";
import { setupMockPlantStore } from "plant-store-client/mock/node";
import { plantGarden } from "./plant-garden.mjs";

// MSW intercepts the global fetch: the code under test does not know that it is tested.
const store = setupMockPlantStore({ auth: { tokens: [] }, onUnhandledRequest: "error" });
beforeAll(() => store.listen());
afterAll(() => store.close());

// A session for each test: plants, faults and recorded requests of its own, matched by bearer token.
let session;
let client;

beforeEach(() => {
  session = store.session();
  client = new PlantStoreClient(session.clientOptions);
});
// Fails the test if a fault was never used, or if a request went to an unknown path.
afterEach(() => session.verify());

const rose = { id: 1, name: "Rosa canina" };
const wollemia = { id: 9007199254740993n, name: "Wollemia nobilis", tag: "conifer" };

test("tells which plants were created", async () => {
  const garden = await plantGarden(client, [rose, wollemia]);

  expect(garden).toEqual({ planted: ["Rosa canina", "Wollemia nobilis"], refused: [], unsure: [] });
  expect([...session.plants]).toEqual([rose, wollemia]);
});

test("sends every digit of an id", async () => {
  await plantGarden(client, [wollemia]);

  expect(session.requests.count).toBe(1);
  expect(session.requests.last).toMatchObject({ method: "POST", path: "/plants", plant: wollemia });
  expect(session.requests.last.bodyText).toContain('"id":9007199254740993');
});

test("goes on after a plant that the service refuses", async () => {
  session.inject(faults.apiError(17, "the greenhouse is full"), { when: { name: "Rosa canina" } });

  const garden = await plantGarden(client, [rose, wollemia]);

  expect(garden.refused).toEqual(["Rosa canina: the greenhouse is full"]);
  expect(garden.planted).toEqual(["Wollemia nobilis"]);
});

test("is unsure of a plant when the reply is lost, and sends it once", async () => {
  session.inject(faults.lostResponse());

  const garden = await plantGarden(client, [rose]);

  expect(garden.unsure).toEqual(["Rosa canina"]);
  expect(session.requests.count).toBe(1);
  expect(session.plants.has(1)).toBe(true);
});

test("waits and sends again when the service is busy", async () => {
  session.inject(faults.rateLimited(0));

  const garden = await plantGarden(client, [rose]);

  expect(garden.planted).toEqual(["Rosa canina"]);
  expect([...session.requests].map(({ status }) => status)).toEqual([429, 200]);
});

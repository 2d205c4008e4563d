import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { plantGarden } from "./plant-garden.js";

// The whole service in memory: nothing is intercepted, the client gets a fetch that goes to it.
const store = createMockPlantStore();

// A session for each test: plants, faults and journal of its own, matched by bearer token.
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

  assert.deepEqual(garden, { planted: ["Rosa canina", "Wollemia nobilis"], refused: [], unsure: [] });
  assert.deepEqual([...session.plants], [rose, wollemia]);
});

test("sends every digit of an id", async () => {
  await plantGarden(client, [wollemia]);

  assert.equal(session.requests.count, 1);
  assert.deepEqual(session.requests.last.plant, wollemia);
  assert.match(session.requests.last.bodyText, /"id":9007199254740993/);
});

test("goes on after a plant that the service refuses", async () => {
  session.inject(faults.apiError(17, "the greenhouse is full"), { when: { name: "Rosa canina" } });

  const garden = await plantGarden(client, [rose, wollemia]);

  assert.deepEqual(garden.refused, ["Rosa canina: the greenhouse is full"]);
  assert.deepEqual(garden.planted, ["Wollemia nobilis"]);
});

test("is unsure of a plant when the reply is lost, and sends it once", async () => {
  session.inject(faults.lostResponse());

  const garden = await plantGarden(client, [rose]);

  assert.deepEqual(garden.unsure, ["Rosa canina"]);
  assert.equal(session.requests.count, 1);
  assert.equal(session.plants.has(1), true);
});

test("sends again what provably never left", async () => {
  session.inject(faults.connectionRefused());

  const garden = await plantGarden(client, [rose]);

  assert.deepEqual(garden.planted, ["Rosa canina"]);
  assert.equal(session.plants.size, 1);
});

test("waits and sends again when the service is busy", async () => {
  session.inject(faults.rateLimited(0));

  const garden = await plantGarden(client, [rose]);

  assert.deepEqual(garden.planted, ["Rosa canina"]);
  assert.deepEqual(
    [...session.requests].map(({ status }) => status),
    [429, 200],
  );
});

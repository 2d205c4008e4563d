import assert from "node:assert/strict";
import { test } from "node:test";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { plantGarden } from "./plant-garden.js";

// The whole service in memory: nothing is intercepted, the client gets a fetch that goes to it. Where a client can be
// passed in, this is the quickest form, and the one that can do every fault.
const store = createMockPlantStore();

/** Gives a test a session of its own, and looks afterwards whether it left something behind. */
function open(t) {
  const session = store.session();
  t.after(() => session.verify());
  return { session, client: new PlantStoreClient(session.clientOptions) };
}

const rose = { id: 1, name: "Rosa canina" };

test("is unsure of a plant when the reply is lost, and sends it once", async (t) => {
  const { session, client } = open(t);
  session.inject(faults.lostResponse());

  const garden = await plantGarden(client, [rose]);

  assert.deepEqual(garden.unsure, ["Rosa canina"]);
  assert.equal(session.requests.count, 1);
  assert.equal(session.plants.has(1), true);
});

test("sends again what provably never left", async (t) => {
  const { session, client } = open(t);
  session.inject(faults.connectionRefused());

  const garden = await plantGarden(client, [rose]);

  assert.deepEqual(garden.planted, ["Rosa canina"]);
  assert.equal(session.plants.size, 1);
});

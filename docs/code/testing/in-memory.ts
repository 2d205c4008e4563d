import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { expect, test } from "vitest";
import { label } from "./nursery.ts";

const store = createMockPlantStore();

test("a created plant gets its label", async () => {
  using session = store.session();
  const client = new PlantStoreClient(session.clientOptions);

  expect(await label(client, 1, "Ficus lyrata")).toBe("Ficus lyrata is in bed 1");

  expect([...session.plants]).toEqual([{ id: 1, name: "Ficus lyrata" }]);
  session.verify();
});

// #region fault
test("a plant whose reply is lost has to be looked for", async () => {
  using session = store.session();
  session.inject(faults.lostResponse());

  expect(await label(new PlantStoreClient(session.clientOptions), 1, "Ficus lyrata")).toBe(
    "look for Ficus lyrata in bed 1",
  );

  expect(session.plants.has(1)).toBe(true);
  session.verify();
});
// #endregion fault

test("a service that is busy for a moment is asked again", async () => {
  using session = store.session();
  session.inject(faults.rateLimited(0), { times: 2, when: { name: "Ficus lyrata" } });

  await label(new PlantStoreClient(session.clientOptions), 1, "Ficus lyrata");

  expect([...session.requests].map(({ status, provenance }) => `${status} ${provenance}`)).toEqual([
    "429 injected",
    "429 injected",
    "200 declared",
  ]);
});

test("two plants are sent at the same time", async () => {
  using session = store.session();
  const client = new PlantStoreClient(session.clientOptions);
  const gate = session.hold();

  const labels = Promise.all([label(client, 1, "Ficus lyrata"), label(client, 2, "Sedum acre")]);
  await gate.arrived(2);
  expect(session.plants.size).toBe(0);
  gate.release();

  expect(await labels).toHaveLength(2);
});

test("every session begins with the seed", () => {
  const seeded = createMockPlantStore({ seed: [{ id: 1, name: "Ficus lyrata" }] });

  expect(seeded.session().plants.has(1)).toBe(true);
});

test("verify says what a test left behind", () => {
  using session = store.session();
  session.inject(faults.rateLimited(1), { when: { id: 7 } });

  expect(() => session.verify()).toThrow(
    'the fault rateLimited (when {"id":7}) was never used: send matching requests, or inject it fewer times',
  );
});

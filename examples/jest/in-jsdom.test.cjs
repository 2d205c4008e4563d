/** @jest-environment jest-fixed-jsdom */
const { PlantStoreClient } = require("plant-store-client");
const { createMockPlantStore } = require("plant-store-client/mock");
const { plantGarden } = require("./plant-garden.cjs");

// A test with a document. jest-fixed-jsdom is Jest's environment for jsdom with Node's own fetch, Headers and so on.
test("creates the plant of a form, in the mock in memory", async () => {
  document.body.innerHTML = '<input name="id" value="7"><input name="name" value="Rosa canina">';
  const [id, name] = Array.from(document.querySelectorAll("input"), ({ value }) => value);
  const store = createMockPlantStore();

  const garden = await plantGarden(new PlantStoreClient(store.clientOptions), [{ id: BigInt(id), name }]);

  expect(garden.planted).toEqual(["Rosa canina"]);
  expect([...store.plants]).toEqual([{ id: 7, name: "Rosa canina" }]);
  store.verify();
});

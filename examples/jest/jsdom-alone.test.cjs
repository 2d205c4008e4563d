/** @jest-environment jsdom */
const { PlantStoreClient } = require("plant-store-client");
const { createMockPlantStore } = require("plant-store-client/mock");

// Jest's own environment for jsdom lacks Node's fetch, Request and so on. Client and mock name what they need.
test("the mock names the globals that it needs", () => {
  expect(() => createMockPlantStore()).toThrow(
    /^the mock needs these globals, which are missing here: Request, Response, .*TextDecoder.*; .*jest-fixed-jsdom/,
  );
});

test("the client names a global that it needs, and sends nothing", async () => {
  const fetch = jest.fn();
  const client = new PlantStoreClient({ baseUrl: "https://plants.test", token: "any", fetch });

  const { error } = await client.tryCreatePlant({ id: 7, name: "Rosa canina" });

  expect(error).toMatchObject({ kind: "config", option: "fetch", outcome: "not-sent" });
  expect(error.message).toMatch(/^fetch needs the global TextDecoder: .*jest-fixed-jsdom/);
  expect(fetch).not.toHaveBeenCalled();
});

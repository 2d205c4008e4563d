const { expect, test } = require("@jest/globals");
const { PlantStoreClient } = require("plant-store-client");
const observe = require("./observe.cjs");

test("CommonJS gets the build for servers: there Jest asks for one for Node, too", async () => {
  expect(await observe(PlantStoreClient)).toEqual({ plant: { name: "Fern" }, namesItself: true, refused: "not-sent" });
});

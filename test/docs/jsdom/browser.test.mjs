import { expect, test } from "@jest/globals";
import { PlantStoreClient } from "plant-store-client";
import observe from "./observe.cjs";

test("an ES module gets the build for browsers, which works, and never claims that nothing was sent", async () => {
  expect(await observe(PlantStoreClient)).toEqual({ plant: { name: "Fern" }, namesItself: false, refused: "unknown" });
});

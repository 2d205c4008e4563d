import type { CreatePlantResult, PlantCreator } from "plant-store-client";
import { PlantStoreTimeoutError } from "plant-store-client";
import { expect, test } from "vitest";
import { label } from "./nursery.ts";

test("a bed stays empty when nothing was sent in time", async () => {
  const error = new PlantStoreTimeoutError({ message: "too slow", timeoutMs: 1_000, outcome: "not-sent" });
  const client: Pick<PlantCreator, "tryCreatePlant"> = {
    tryCreatePlant: async (): Promise<CreatePlantResult> => ({ ok: false, error, attempts: [] }),
  };

  expect(await label(client, 1, "Ficus lyrata")).toBe("bed 1 stays empty");
});

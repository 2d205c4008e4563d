import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";
import { createHandlers } from "plant-store-client/mock/msw";
import { afterAll, beforeAll, expect, test } from "vitest";

const store = createMockPlantStore();
const server = setupServer(
  ...createHandlers(store),
  http.get("https://weather.example/", () => HttpResponse.json({ rain: true })),
);

// MSW 3 reads the second name, and would otherwise send unhandled requests.
const options = { onUnhandledRequest: "error", onUnhandledFrame: "error" } as const;
beforeAll(() => server.listen(options));
afterAll(() => server.close());

test("the mock works alongside your own handlers", async () => {
  const { baseUrl, token } = store;
  const client = new PlantStoreClient({ baseUrl, token });
  const plant = await client.createPlant({ id: 1, name: "Ficus lyrata" });
  const weather = await fetch("https://weather.example/");

  expect(plant.name).toBe("Ficus lyrata");
  expect(await weather.json()).toEqual({ rain: true });
});

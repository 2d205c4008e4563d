import { setupMockPlantStore } from "plant-store-client/mock/node";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const baseUrl = "https://plants.example/v1";
const store = setupMockPlantStore({ baseUrl, onUnhandledRequest: "error" });

beforeAll(() => store.listen());
beforeEach(() => store.reset());
afterAll(() => store.close());

test("code that calls the global fetch is intercepted", async () => {
  const response = await fetch("https://plants.example/v1/plants", {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: '{"id":1,"name":"Ficus lyrata"}',
  });

  expect(response.status).toBe(200);
  expect(store.plants.get(1)).toEqual({ id: 1, name: "Ficus lyrata" });
  store.verify();
});

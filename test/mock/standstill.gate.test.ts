import { expect, test } from "vitest";
import { runChild } from "../client/fixtures/child.ts";

/** What an uncaught error of the process says. */
async function standstillOf(code: string): Promise<string> {
  const source = `
    import { createPlants, PlantStoreClient } from "./src/index.ts";
    import { createMockPlantStore } from "./mock/index.ts";
    process.on("uncaughtException", ({ message }) => { console.log(JSON.stringify(message)); process.exit(); });
    const never = () => new Promise(() => {});
    const store = createMockPlantStore({ time: "virtual" });
    const plant = { id: 7, name: "Aloe" };
    const clientWith = (options) => new PlantStoreClient({ ...store.clientOptions, ...options });
    ${code}`;
  return `${await runChild(source)}`;
}

test.each([
  ["a token provider", "await clientWith({ token: never }).createPlant(plant);"],
  ["a fetch", "await clientWith({ fetch: never }).createPlant(plant);"],
  ["a gate that holds a request", "store.hold(); await clientWith({}).createPlant(plant);"],
  [
    "the input of createPlants",
    `store.clock.after(1, () => {});
     for await (const _ of createPlants(clientWith({}), { [Symbol.asyncIterator]: () => ({ next: never }) }));`,
  ],
  [
    "a response body",
    `const body = () => new ReadableStream({ pull: never });
     await clientWith({ fetch: async () => new Response(body()) }).createPlant(plant);`,
  ],
  [
    "a token provider",
    `const inner = clientWith({ timeoutMs: 1_000, fetch: never });
     const token = async () => { await inner.tryCreatePlant(plant); return "t"; };
     await clientWith({ token }).createPlant(plant);`,
  ],
])("virtual time that waits for %s ends with an error that names it", async (what, code) => {
  const message = await standstillOf(code);
  expect(message).toContain("virtual time has stood still for 2 s, because it waits for");
  expect(message).toContain(what);
});

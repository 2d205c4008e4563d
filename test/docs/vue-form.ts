// @vitest-environment jsdom
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults, type MockPlantStore } from "plant-store-client/mock";
import { afterEach, expect, test } from "vitest";

// Copied next to the component of docs/front-ends.md, and run there.

interface VueApp {
  mount(element: Element): void;
  unmount(): void;
}
let app: VueApp;
afterEach(() => app.unmount());

async function render(store: MockPlantStore): Promise<void> {
  const { createApp } = await import(`vue${""}`);
  const { default: CreatePlant } = await import(`./create-plant${""}.vue`);
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  app = createApp(CreatePlant, { client: new PlantStoreClient(store.clientOptions) });
  app.mount(root);
}

function submit(id: string): void {
  (document.querySelector("[name=id]") as HTMLInputElement).value = id;
  (document.querySelector("[name=name]") as HTMLInputElement).value = "Ficus lyrata";
  document.querySelector("button")?.click();
}

const says = (text: string) => expect.poll(() => document.querySelector("[role=status]")?.textContent).toContain(text);

test("a double click creates one plant, with its exact id; an invalid id creates none", async () => {
  const store = createMockPlantStore();
  await render(store);
  submit("5x");
  await says("id must be an integer");
  submit("9007199254740993");
  submit("9007199254740993");
  await says("Ficus lyrata was created.");
  expect([...store.plants]).toEqual([{ id: 9007199254740993n, name: "Ficus lyrata" }]);
});

test("the form says that the plant may exist if the response is lost, and that it does not if it is refused", async () => {
  const store = createMockPlantStore();
  store.inject(faults.lostResponse());
  store.inject(faults.apiError(7, "the greenhouse is full"));
  await render(store);
  submit("1");
  await says("The plant may exist.");
  submit("2");
  await says("The plant was not created.");
});

test("a user who leaves ends the call", async () => {
  const store = createMockPlantStore();
  const gate = store.hold();
  await render(store);
  submit("1");
  await gate.arrived(1);
  app.unmount();
  await expect.poll(() => store.requests.last?.durationMs).toBeDefined();
  gate.release();
  expect(store.plants.size).toBe(0);
});

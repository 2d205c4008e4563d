// @vitest-environment jsdom
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults, type MockPlantStore } from "plant-store-client/mock";
import { afterEach, expect, test } from "vitest";
import { WAIT_MS } from "../time-limits.ts";

// Copied next to the component of docs/front-ends.md, with the time limits above it, and run there.

const query = await import(`@tanstack/react-query${""}`);
const { createElement } = await import(`react${""}`);
const { cleanup, configure, fireEvent, render, screen } = await import(`@testing-library/react${""}`);
const { CreatePlant } = await import(`./create-plant${""}.tsx`);

configure({ asyncUtilTimeout: WAIT_MS });
afterEach(cleanup);

function renderForm(store: MockPlantStore): { unmount(): void } {
  return render(createElement(CreatePlant, { client: new PlantStoreClient(store.clientOptions) }));
}

function submit(id: string): void {
  fireEvent.change(screen.getByLabelText("Id"), { target: { value: id } });
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Ficus lyrata" } });
  fireEvent.click(screen.getByText("Create"));
}

test("a double click creates one plant, with its exact id; an invalid id creates none", async () => {
  const store = createMockPlantStore();
  renderForm(store);
  submit("5x");
  await screen.findByText(/^id must be an integer/);
  submit("9007199254740993");
  submit("9007199254740993");
  await screen.findByText("Ficus lyrata was created.");
  expect([...store.plants]).toEqual([{ id: 9007199254740993n, name: "Ficus lyrata" }]);
});

test("the form says that the plant may exist if the response is lost", async () => {
  const store = createMockPlantStore();
  store.inject(faults.lostResponse());
  renderForm(store);
  submit("1");
  await screen.findByText(/^The plant may exist/);
  expect(store.requests.count).toBe(1);
});

test("a user who leaves ends the call", async () => {
  const store = createMockPlantStore();
  const gate = store.hold();
  const { unmount } = renderForm(store);
  submit("1");
  await gate.arrived(1);
  unmount();
  await expect.poll(() => store.requests.last?.durationMs).toBeDefined();
  gate.release();
  expect(store.plants.size).toBe(0);
});

test.each([
  ["online", 1],
  ["always", 0],
])("a mutation with networkMode %s that begins offline sends %i plants later", async (networkMode, sent) => {
  const store = createMockPlantStore();
  const offline = { ...store.clientOptions, fetch: () => Promise.reject(new TypeError("offline")) };
  const queryClient = new query.QueryClient();
  const mutationFn = (id: number) => {
    const options = query.onlineManager.isOnline() ? store.clientOptions : offline;
    return new PlantStoreClient(options).createPlant({ id, name: "Aloe vera" });
  };
  query.onlineManager.setOnline(false);
  const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn, networkMode });
  const call = mutation.execute(1).catch(() => undefined);
  await expect.poll(() => mutation.state.isPaused || mutation.state.status === "error").toBe(true);
  query.onlineManager.setOnline(true);
  await queryClient.resumePausedMutations();
  await call;
  expect(store.plants.size).toBe(sent);
});

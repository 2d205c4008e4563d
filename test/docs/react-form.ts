// @vitest-environment jsdom
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults, type MockPlantStore } from "plant-store-client/mock";
import { afterEach, expect, test, vi } from "vitest";

// Copied next to the component of docs/runtimes.md, and run there.

const { onlineManager } = await import(`@tanstack/react-query${""}`);
const { createElement } = await import(`react${""}`);
const { cleanup, fireEvent, render, screen } = await import(`@testing-library/react${""}`);
const { App } = await import(`./create-plant${""}.tsx`);

afterEach(cleanup);

function renderForm(store: MockPlantStore): { unmount(): void } {
  return render(createElement(App, { client: new PlantStoreClient(store.clientOptions) }));
}

function submit(id: string): void {
  fireEvent.change(screen.getByLabelText("Id"), { target: { value: id } });
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Ficus lyrata" } });
  fireEvent.click(screen.getByText("Create"));
}

test("the form says that the plant may exist if the response is lost", async () => {
  const store = createMockPlantStore();
  store.inject(faults.lostResponse());
  renderForm(store);
  submit("1");
  await screen.findByText(/^The plant may exist/);
  expect(store.requests.count).toBe(1);
});

test("a user who leaves while offline creates nothing later", async () => {
  const store = createMockPlantStore();
  const gate = store.hold();
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const { unmount } = renderForm(store);
  onlineManager.setOnline(false);
  submit("2");
  unmount();
  onlineManager.setOnline(true);
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringMatching("may exist")));
  gate.release();
  expect(store.plants.size).toBe(0);
});

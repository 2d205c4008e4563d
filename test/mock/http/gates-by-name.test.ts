import { createMockPlantStore } from "plant-store-client/mock";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OpenSessions } from "../../../mock/http/control/open-sessions.ts";
import { routes } from "../../../mock/http/control/routes.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Calls the control API's wait for the first request at a new gate. */
function waitForArrival() {
  const mock = createMockPlantStore();
  const sessions = new OpenSessions(mock);
  const name = sessions.hold(mock);
  const call = {
    mock,
    sessions,
    instance: "any",
    session: mock,
    query: new URLSearchParams(),
    name,
    body: "",
    options: {},
  };
  const reply = routes.awaitArrival.handle(call);
  return { mock, gate: sessions.gate(name), reply };
}

it("a call that waits for an arrival gives up after ten seconds", async () => {
  const { reply } = waitForArrival();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await reply).toEqual({ arrived: false });
});

it("a call that waits for an arrival leaves no timer behind", async () => {
  const { mock, gate, reply } = waitForArrival();
  const held = mock.fetch(`${mock.baseUrl}/plants`, { method: "POST" });
  expect(await reply).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
  gate.release();
  await held;
});

it("the newest ten thousand gates are known by name, and every closed one", () => {
  const mock = createMockPlantStore();
  const sessions = new OpenSessions(mock);
  const closed = sessions.hold(mock);
  const names = Array.from({ length: 10_001 }, () => sessions.hold(mock));
  for (const name of names) sessions.gate(name).release();
  for (const name of names.slice(1)) expect(sessions.gate(name)).toBeDefined();
  expect(() => sessions.gate(names[0] as string)).toThrow(`unknown gate "${names[0]}"`);
  expect(sessions.gate(closed)).toBeDefined();
});

import { startMockPlantStore } from "plant-store-client/mock/http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KeptGates } from "../../../mock/http/control/kept-gates.ts";
import { routes } from "../../../mock/http/control/routes.ts";
import { createMock } from "../../../mock/memory/create-mock.ts";
import { resolveOptions } from "../../../mock/service/resolve-options.ts";
import { HeldGate } from "../../../mock/service/sessions/gate.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function keptGates() {
  const { mock, service } = createMock(resolveOptions({}), true);
  return { mock, service, gates: new KeptGates(service.sessions), state: service.sessions.root.state };
}

/** Calls the control API's wait for the first request at a new gate. */
function waitForArrival() {
  const { mock, gates, state, service } = keptGates();
  const name = gates.hold(state);
  const call = { mock, service, gates, instance: "any", session: mock, state, name, body: "", options: {} };
  const closed = new Promise(() => {});
  const reply = routes.awaitArrival.handle({ ...call, closed, query: new URLSearchParams() });
  return { mock, gate: gates.get(name), reply };
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

it("a call that waits for an arrival is forgotten at once if its client disconnects", async () => {
  await using mock = await startMockPlantStore();
  const { gate } = await (await fetch(`${mock.url}/_mock/gates`, { method: "POST" })).json();
  const [arrived, forget] = [vi.spyOn(HeldGate.prototype, "arrived"), vi.spyOn(HeldGate.prototype, "forget")];
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = fetch(`${mock.url}/_mock/gates/${gate}/arrived`, { signal }).catch(({ name }) => name);
  await expect.poll(() => arrived.mock.results).toHaveLength(1);
  controller.abort();
  expect(await waiting).toBe("AbortError");
  await expect.poll(() => forget.mock.calls).toEqual([[arrived.mock.results[0]?.value]]);
});

it("the newest ten thousand gates are known by name, and every closed one", () => {
  const { gates, state } = keptGates();
  const closed = gates.hold(state);
  const names = Array.from({ length: 10_001 }, () => gates.hold(state));
  for (const name of names) gates.get(name).release();
  for (const name of names.slice(1)) expect(gates.get(name)).toBeDefined();
  expect(() => gates.get(names[0] as string)).toThrow(`unknown gate "${names[0]}"`);
  expect(gates.get(closed)).toBeDefined();
});

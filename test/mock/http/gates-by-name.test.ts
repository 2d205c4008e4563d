import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OpenSessions } from "../../../mock/http/control/open-sessions.ts";
import { routes } from "../../../mock/http/control/routes.ts";
import { createMock } from "../../../mock/memory/create-mock.ts";
import { resolveOptions } from "../../../mock/service/resolve-options.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function openSessions() {
  const { mock, service } = createMock(resolveOptions({}), true);
  const sessions = new OpenSessions(mock, service.sessions);
  return { mock, service, sessions, opened: service.sessions.root };
}

/** Calls the control API's wait for the first request at a new gate. */
function waitForArrival() {
  const { mock, sessions, opened, service } = openSessions();
  const name = sessions.hold(opened);
  const call = { mock, service, sessions, instance: "any", session: mock, opened, name, body: "", options: {} };
  const reply = routes.awaitArrival.handle({ ...call, query: new URLSearchParams() });
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
  const { sessions, opened } = openSessions();
  const closed = sessions.hold(opened);
  const names = Array.from({ length: 10_001 }, () => sessions.hold(opened));
  for (const name of names) sessions.gate(name).release();
  for (const name of names.slice(1)) expect(sessions.gate(name)).toBeDefined();
  expect(() => sessions.gate(names[0] as string)).toThrow(`unknown gate "${names[0]}"`);
  expect(sessions.gate(closed)).toBeDefined();
});

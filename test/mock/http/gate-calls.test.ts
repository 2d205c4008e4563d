import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { routes } from "../../../mock/http/control/routes.ts";
import { createMock } from "../../../mock/memory/create-mock.ts";
import { resolveOptions } from "../../../mock/service/resolve-options.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("a call that waits for an arrival gives up after ten seconds", async () => {
  const { mock, service } = createMock(resolveOptions({}), true);
  const { state } = service.sessions.root;
  const call = { mock, service, baseUrl: "", instance: "any", session: mock, state, body: {}, options: {} };
  const reply = routes.awaitArrival.handle({ ...call, name: state.hold().name, query: new URLSearchParams() });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await reply).toEqual({ arrived: false });
});

import { faults } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { post } from "./post.ts";

let mock: HttpMockPlantStore;
beforeEach(async () => {
  mock = await startMockPlantStore();
});
afterEach(() => mock.close());

// biome-ignore lint/suspicious/noExplicitAny: a response of the control API, which each test checks.
type Json = any;

async function state(): Promise<Json> {
  return (await fetch(`${mock.url}/_mock/state`)).json();
}

describe("the state of a session", () => {
  it("has its requests, the newest first, its faults and its gates", async () => {
    await post(mock.baseUrl, '{"id":2,"name":"Monstera","tag":"green"}', "secret");
    await post(mock.baseUrl, "{", "secret");
    mock.inject(faults.lostResponse(), { when: { id: 3 } });
    const gate = mock.hold();
    const held = post(mock.baseUrl, '{"id":4,"name":"held"}');
    await gate.arrived(1);
    const shared = { at: expect.any(Number), method: "POST", path: "/plants", isHeld: false };
    const over = { ...shared, token: mock.labelOf("secret"), durationMs: 0 };
    expect(await state()).toEqual({
      baseUrl: mock.baseUrl,
      sessions: ["root"],
      requests: [
        { ...shared, number: 3, token: expect.any(String), plant: { id: 4, name: "held" }, isHeld: true },
        {
          ...{ ...over, number: 2, status: 400, assumption: "json" },
          reason: expect.stringContaining("body: must be JSON"),
        },
        { ...over, number: 1, status: 200, plant: { id: 2, name: "Monstera", tag: "green" } },
      ],
      faults: [{ number: 1, fault: { type: "lostResponse" }, times: 1, used: 0, when: { id: 3 } }],
      gates: [{ name: expect.any(String), arrived: 1, held: 1 }],
    });
    gate.release();
    await held;
    expect((await state()).requests[0]).toMatchObject({ isHeld: false, status: 200 });
  });

  it("has the newest thousand requests, and the beginning of each long text", async () => {
    await using large = await startMockPlantStore({ maxRecordedRequests: 10_000 });
    large.inject(faults.apiError(1, "x".repeat(20_000)), { when: { id: -1 } });
    for (let i = 0; i < 1_100; i++) await post(large.baseUrl, `{"id":${i},"name":"${"x".repeat(300)}"}`);
    const { requests, faults: queued } = await (await fetch(`${large.url}/_mock/state`)).json();
    expect(requests).toHaveLength(1_000);
    expect(requests[0]).toMatchObject({ number: 1_100, plant: { id: 1_099, name: "x".repeat(200) } });
    expect(requests[999]).toMatchObject({ number: 101 });
    expect(queued[0].fault.message).toBe("x".repeat(1_000));
  });
});

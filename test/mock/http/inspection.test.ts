import { faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { describe, expect, it } from "vitest";
import { post } from "./post.ts";
import { sharedMock } from "./shared-mock.ts";

const mock = await sharedMock({ basePath: "/v1", strict: false });

const PLANT = '{"id":1,"name":"Monstera"}';
// biome-ignore lint/suspicious/noExplicitAny: a response of the control API, which each test checks.
type Json = any;

async function call(
  method: string,
  path: string,
  body: string | null = null,
): Promise<{ status: number; value: Json }> {
  const reply = await fetch(`${mock.url}/_mock${path}`, { method, body });
  const text = await reply.text();
  return { status: reply.status, value: text === "" ? undefined : JSON.parse(text) };
}

describe("injected faults", () => {
  it("are listed in the order injected with their remaining uses, and removed by number", async () => {
    const injected = await fetch(`${mock.url}/_mock/faults`, {
      method: "POST",
      body: '{"fault":{"type":"apiError","code":7,"message":"no"},"times":2,"when":{"id":1}}',
    });
    expect([injected.status, await injected.json()]).toEqual([201, { number: 1 }]);
    mock.inject(faults.hang(), { when: () => false });
    mock.inject(faults.delay(0), { times: Number.POSITIVE_INFINITY, when: { id: 99 } });
    expect((await call("POST", "/faults", '{"fault":{"type":"hang"},"probability":2}')).status).toBe(400);
    await call("POST", "/faults", '{"fault":{"type":"delay","ms":0},"probability":0.02}');
    await post(mock.baseUrl, PLANT);
    const { value } = await call("GET", "/state");
    expect(value.faults).toEqual([
      { number: 1, fault: { type: "apiError", code: 7, message: "no" }, times: 2, used: 1, when: { id: 1 } },
      { number: 2, fault: { type: "hang" }, times: 1, used: 0, when: "function" },
      { number: 3, fault: { type: "delay", ms: 0 }, times: "unlimited", used: 0, when: { id: 99 } },
      { number: 4, fault: { type: "delay", ms: 0 }, times: "unlimited", used: 0, probability: 0.02 },
    ]);
    expect((await call("DELETE", "/faults/1")).status).toBe(204);
    expect(await call("DELETE", "/faults/1")).toMatchObject({
      status: 404,
      value: { message: "number: this session has no injected fault 1" },
    });
    expect((await post(mock.baseUrl, PLANT)).status).toBe(200);
  });
});

describe("one request", () => {
  it("is shown without secrets, which the list keeps for assertions", async () => {
    const secrets = { Cookie: "a=1", "Proxy-Authorization": "Basic x", "X-Api-Key": "key" };
    await fetch(`${mock.baseUrl}/plants`, { method: "POST", headers: { ...secrets, "X-Note": "note" } });
    const kept = { cookie: "a=1", "proxy-authorization": "Basic x", "x-api-key": "key", "x-note": "note" };
    expect(mock.requests.last?.headers).toMatchObject(kept);
    expect((await call("GET", "/requests")).value.requests[0].headers).toMatchObject(kept);
    const shown = { cookie: "***", "proxy-authorization": "***", "x-api-key": "***", "x-note": "note" };
    expect((await call("GET", "/requests/1")).value.headers).toMatchObject(shown);
  });

  const reasonOf = async (number: number) => (await call("GET", `/requests/${number}`)).value.why;

  it("gives the reason for its response", async () => {
    await post(mock.baseUrl, PLANT);
    await post(mock.baseUrl, "{");
    mock.inject(faults.rateLimited(1));
    await post(mock.baseUrl, PLANT);
    await fetch(`${mock.baseUrl}/plants`, { method: "POST", headers: { "X-Any": "1" }, body: "x" });
    expect(await reasonOf(1)).toBe("The contract declares this response.");
    expect(await reasonOf(2)).toMatch(
      /^body: must be JSON.+ The contract does not specify this: a body that is empty or not JSON\. The mock's default: .+ Options that change it: replies\.json\.$/,
    );
    expect(await reasonOf(3)).toBe(
      "The injected fault rateLimited #1 (too many requests) affected this request: status 429 with Retry-After.",
    );
    expect(await reasonOf(4)).toMatch(/ Options that change it: replies\.missingToken, auth: false\.$/);
    expect((await call("GET", "/requests/1")).value).toMatchObject({ number: 1, plant: { id: 1 }, status: 200 });
    for (const number of ["0", "5", "01", "-1", "1x", "x", "9999999999999999"]) {
      expect(await call("GET", `/requests/${number}`)).toMatchObject({ status: 404 });
    }
  });

  it("has no reason while it waits", async () => {
    const gate = mock.hold();
    const held = post(mock.baseUrl, PLANT);
    await gate.arrived(1);
    expect(await reasonOf(1)).toBe("There is no response yet.");
    gate.release();
    await held;
  });

  it("names the options if they determine the response", async () => {
    await using stated = await startMockPlantStore({ replies: { json: { status: 422, body: { message: 7 } } } });
    await post(stated.baseUrl, "{");
    const { why } = await (await fetch(`${stated.url}/_mock/requests/1`)).json();
    expect(why).toBe("An option of the mock determines this response.");
  });
});

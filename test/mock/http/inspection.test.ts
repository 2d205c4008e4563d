import { faults } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { post } from "./post.ts";
import { exchange, post as rawPost } from "./raw.ts";

let mock: HttpMockPlantStore;
beforeAll(async () => {
  mock = await startMockPlantStore({ basePath: "/v1", strict: false });
});
afterEach(() => mock.reset());
afterAll(() => mock.close());

const PLANT = '{"id":1,"name":"Monstera"}';
const CHUNKED = rawPost("", ["Transfer-Encoding: chunked", "Connection: close"], "/v1/plants").replace(
  "Content-Length: 0\r\n",
  "",
);

// biome-ignore lint/suspicious/noExplicitAny: a response of the control API, which each test checks.
type Json = any;

async function call(method: string, path: string): Promise<{ status: number; value: Json }> {
  const reply = await fetch(`${mock.url}/_mock${path}`, { method });
  const text = await reply.text();
  return { status: reply.status, value: text === "" ? undefined : JSON.parse(text) };
}

describe("queued faults", () => {
  it("are listed in the order injected with their remaining uses, and removed by name", async () => {
    mock.inject(faults.apiError(7, "no"), { times: 2, when: { id: 1 } });
    mock.inject(faults.hang(), { when: () => false });
    mock.inject(faults.delay(0), { times: Number.POSITIVE_INFINITY, when: { id: 99 } });
    await post(mock.baseUrl, PLANT);
    const { value } = await call("GET", "/faults");
    const name = expect.stringMatching(/^fault-[\da-f]{16}$/);
    expect(value.faults).toEqual([
      { name, fault: { type: "apiError", code: 7, message: "no" }, times: 2, used: 1, when: { id: 1 } },
      { name, fault: { type: "hang" }, times: 1, used: 0, when: "function" },
      { name, fault: { type: "delay", ms: 0 }, times: "unlimited", used: 0, when: { id: 99 } },
    ]);
    const path = `/faults/${value.faults[0].name}`;
    expect((await call("DELETE", path)).status).toBe(204);
    expect(await call("DELETE", path)).toMatchObject({
      status: 404,
      value: { message: `unknown fault "${value.faults[0].name}" in this session` },
    });
    expect((await post(mock.baseUrl, PLANT)).status).toBe(200);
  });
});

describe("closed gates", () => {
  it("are listed with the requests that they hold, including gates of a test, and released by name", async () => {
    const gate = mock.hold();
    const held = post(mock.baseUrl, PLANT);
    const other = post(mock.baseUrl, "{");
    await gate.arrived(2);
    const { value } = await call("GET", "/gates");
    expect(value.gates).toEqual([
      {
        name: expect.stringMatching(/^gate-[\da-f]{16}$/),
        arrived: 2,
        held: expect.arrayContaining([
          { method: "POST", path: "/v1/plants", id: 1 },
          { method: "POST", path: "/v1/plants" },
        ]),
      },
    ]);
    expect((await call("DELETE", `/gates/${value.gates[0].name}`)).status).toBe(204);
    expect([(await held).status, (await other).status]).toEqual([200, 400]);
    expect((await call("GET", "/gates")).value).toEqual({ size: 0, gates: [] });
  });

  it("are listed without parsing a held body each time", async () => {
    const gate = mock.hold();
    const body = `{"id":${"9".repeat(1000)}`;
    const held = post(mock.baseUrl, body);
    await gate.arrived(1);
    const parse = vi.spyOn(JSON, "parse");
    for (let i = 0; i < 3; i++) expect((await call("GET", "/gates")).value.gates[0].held).toHaveLength(1);
    expect(parse.mock.calls.filter(([text]) => text === body)).toHaveLength(1);
    parse.mockRestore();
    gate.release();
    await held;
  });
});

describe("one request", () => {
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
      "The injected fault rateLimited (too many requests) affected this request: status 429 with Retry-After.",
    );
    expect(await reasonOf(4)).toMatch(/ Options that change it: replies\.missingToken, auth: false\.$/);
    expect((await call("GET", "/requests/1")).value).toMatchObject({ number: 1, plant: { id: 1 }, status: 200 });
    for (const number of ["0", "5", "01", "-1", "1x", "x", "9999999999999999"]) {
      expect(await call("GET", `/requests/${number}`)).toMatchObject({ status: 404 });
    }
  });

  it("with a duplicate id is explained by the option that rejects it", async () => {
    await using rejecting = await startMockPlantStore({ duplicateIds: "reject", seed: [{ id: 1, name: "Monstera" }] });
    await post(rejecting.baseUrl, PLANT);
    const { why } = (await (await fetch(`${rejecting.url}/_mock/requests/1`)).json()) as Json;
    expect(why).toMatch(/^\/id: 1 already exists.+ With duplicateIds: "reject": 400\. Options that change it: /);
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

  it("is sent again unchanged, with a token of its session if it had a token", async () => {
    await post(mock.baseUrl, '{"id":9223372036854775807,"name":"a"}', "another-token");
    expect(await call("POST", "/requests/1/replay")).toEqual({ status: 202, value: { sent: true } });
    await expect
      .poll(() => mock.requests.last)
      .toMatchObject({
        plant: { id: 9223372036854775807n, name: "a" },
        status: 200,
        token: mock.labelOf(mock.token),
      });
    mock.inject(faults.networkError());
    await call("POST", "/requests/1/replay");
    await expect.poll(() => mock.requests.last?.fault).toEqual({ type: "networkError" });
  });

  it("is sent again with the same bytes, even if they are not UTF-8", async () => {
    await post(mock.baseUrl, Buffer.from('{"id":1,"name":"\xff"}', "latin1"));
    expect(mock.requests.last).toMatchObject({ status: 400, assumption: "encoding" });
    await call("POST", "/requests/1/replay");
    await expect.poll(() => mock.requests.count).toBe(2);
    await expect.poll(() => mock.requests.last).toMatchObject({ status: 400, assumption: "encoding" });
    expect(mock.plants.size).toBe(0);
  });

  it.each(["DELETE", "POST"])(
    "is sent again without a body, and so without a Content-Type, if %s had none",
    async (method) => {
      await fetch(`${mock.baseUrl}/plants`, { method, headers: { Authorization: "Bearer t" } });
      expect(mock.requests.last?.headers).not.toHaveProperty("content-type");
      await call("POST", "/requests/1/replay");
      await expect.poll(() => mock.requests.count).toBe(2);
      expect(mock.requests.last).toMatchObject({ method, bodyText: "" });
      expect(mock.requests.last?.headers).not.toHaveProperty("content-type");
    },
  );

  it.each(["GET", "HEAD"])("is sent again if it is a %s", async (method) => {
    await fetch(`${mock.baseUrl}/other`, { method });
    await call("POST", "/requests/1/replay");
    await expect.poll(() => mock.requests.last).toMatchObject({ method, status: 404 });
    expect(mock.requests.count).toBe(2);
    expect(mock.requests.last).not.toHaveProperty("token");
  });

  it.each([
    ["an expectation and a length", rawPost(PLANT, ["Expect: 100-continue", "Connection: close"], "/v1/plants")],
    ["chunks", `${CHUNKED}${PLANT.length.toString(16)}\r\n${PLANT}\r\n0\r\n\r\n`],
  ])("is sent again without the headers of its connection: %s", async (_what, sent) => {
    await exchange(mock.url, sent);
    expect(mock.requests.last?.headers).toHaveProperty("connection", "close");
    await call("POST", "/requests/1/replay");
    await expect.poll(() => mock.requests.count).toBe(2);
    await expect.poll(() => mock.requests.last).toMatchObject({ status: 200, plant: { id: 1 } });
    expect(Object.keys(mock.requests.last?.headers ?? {})).toEqual(["authorization", "content-type"]);
  });

  it("is sent again with no bearer token if it had none", async () => {
    const headers = { Authorization: "Basic dTpw", "Content-Type": "application/json" };
    await fetch(`${mock.baseUrl}/plants`, { method: "POST", headers, body: PLANT });
    await call("POST", "/requests/1/replay");
    await expect.poll(() => mock.requests.count).toBe(2);
    await expect.poll(() => mock.requests.last).toMatchObject({ status: 401 });
    expect(mock.requests.last?.headers.authorization).toMatch(/^Basic /);
  });

  it.each(["TRACE /v1/plants", "POST /v1/../plants", "POST //other.test/plants", "POST /elsewhere"])(
    "is not sent again if fetch would send something else: %s",
    async (line) => {
      await exchange(mock.url, `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(await call("POST", "/requests/1/replay")).toMatchObject({
        status: 409,
        value: { message: expect.stringContaining("the request cannot be sent again: fetch cannot send ") },
      });
    },
  );

  it("is not sent again if its whole body was not kept", async () => {
    await post(mock.baseUrl, `{"id":1,"name":"${"a".repeat(20_000)}"}`);
    expect(await call("POST", "/requests/1/replay")).toMatchObject({
      status: 409,
      value: { message: "the request cannot be sent again: the mock did not keep its whole body" },
    });
  });
});

it("a queued fault and the requests that it affects are listed without long texts", async () => {
  mock.inject(faults.reply({ status: 500, body: "x".repeat(2 ** 20) }), { times: 20 });
  for (let i = 0; i < 20; i++) await post(mock.baseUrl, PLANT);
  expect(JSON.stringify(await call("GET", "/faults")).length).toBeLessThan(2_000);
  const { value } = await call("GET", "/requests");
  expect(value.requests).toHaveLength(20);
  expect(value.requests[0].fault).toEqual({ type: "reply", status: 500, body: "x".repeat(1_000) });
  expect(JSON.stringify(value).length).toBeLessThan(2 ** 20);
});

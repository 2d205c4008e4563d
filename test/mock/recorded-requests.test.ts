import { createMockPlantStore, faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/memory/create-mock.ts";
import { resolveOptions } from "../../mock/service/resolve-options.ts";
import { collectGarbage } from "../collect-garbage.ts";
import { mustBe } from "../rules-in-words.ts";
import { post as httpPost } from "./http/post.ts";
import { post, rejection } from "./post.ts";

const PLANT = '{"id":9007199254740993,"name":"Fern","tag":"green"}';

it("records request and response, with a label in place of the token", async () => {
  const mock = createMockPlantStore();
  const before = Date.now();
  await post(mock, PLANT);
  const { last } = mock.requests;
  const label = mock.labelOf(mock.token);
  expect(last).toStrictEqual({
    number: 1,
    at: expect.any(Number),
    method: "POST",
    path: "/plants",
    headers: { authorization: `Bearer ${label}`, "content-type": "application/json" },
    bodyText: PLANT,
    token: label,
    plant: { id: 9007199254740993n, name: "Fern", tag: "green" },
    status: 200,
    reply: { status: 200, headers: { "content-type": "application/json" }, body: { name: "Fern", tag: "green" } },
    provenance: "declared",
    durationMs: 0,
  });
  expect(last?.at).toBeGreaterThanOrEqual(before);
  expect(() => mock.labelOf(undefined as never)).toThrow(new TypeError(`token: ${mustBe.string} undefined`));
});

it("distinguishes declared, assumed and injected responses", async () => {
  const mock = createMockPlantStore();
  await post(mock, PLANT);
  await post(mock, "{");
  await post(mock, '{"id":1,"name":"x","color":"red"}');
  mock.inject(faults.apiError(1, "no"));
  await post(mock, PLANT);
  mock.inject(faults.networkError());
  await rejection(post(mock, PLANT));
  mock.inject(faults.lostResponse());
  await rejection(post(mock, PLANT));
  const told = [...mock.requests].map(({ provenance, assumption, fault, status }) => ({
    provenance,
    assumption,
    fault: fault?.type,
    status,
  }));
  expect(told).toEqual([
    { provenance: "declared", status: 200 },
    { provenance: "assumed", assumption: "json", status: 400 },
    { provenance: "assumed", assumption: "unknownFields", status: 200 },
    { provenance: "injected", fault: "apiError", status: 400 },
    { provenance: "injected", fault: "networkError" },
    { provenance: "injected", fault: "lostResponse", status: 200 },
  ]);
});

it("shows a response as text if it is not JSON, despite its Content-Type", async () => {
  const mock = createMockPlantStore();
  for (const reply of [
    { status: 502, headers: { "content-type": "text/html" }, body: "<h1>" },
    { status: 200, headers: { "content-type": "application/json" }, body: "{" },
    { status: 200, headers: { "content-type": "text/plain" }, body: "{}" },
    { status: 204 },
  ]) {
    mock.inject(faults.reply(reply));
    await post(mock, PLANT);
    expect(mock.requests.last?.reply).toEqual({ headers: {}, ...reply });
  }
});

it.each([
  ["Bearer secret", "Bearer <secret>", "secret"],
  ["Bearer  spaced", "Bearer <spaced>", "spaced"],
  ["bearer", "bearer", undefined],
  ["bearerx", "<bearerx>", undefined],
  ["xBearer secret", "xBearer <secret>", undefined],
  ["Basic a b, Basic ab", "Basic <a b>, Basic <ab>", undefined],
  ["dXNlcjpwYXNz", "<dXNlcjpwYXNz>", undefined],
  ["Bearer secret, Bearer other", "Bearer <secret>, Bearer <other>", undefined],
  ["", "", undefined],
])("shows the Authorization %j as %j, with labels", async (authorization, shown, secret) => {
  const mock = createMockPlantStore();
  await post(mock, PLANT, { headers: { Authorization: authorization } });
  const labeled = shown.replace(/<(.+?)>/g, (_, hidden) => mock.labelOf(hidden));
  expect(mock.requests.last?.headers.authorization).toBe(labeled);
  const recorded = mock.requests.last;
  expect(recorded && "token" in recorded).toBe(secret !== undefined);
  if (secret !== undefined) expect(recorded?.token).toBe(mock.labelOf(secret));
});

describe("the label of a token", () => {
  it("counts up in the order in which the tokens arrive, and stays the same", async () => {
    const mock = createMockPlantStore();
    for (const token of ["a", "b", "a", "c"])
      await post(mock, PLANT, { headers: { Authorization: `Bearer ${token}` } });
    expect(Array.from(mock.requests, ({ token }) => token)).toEqual(["token#1", "token#2", "token#1", "token#3"]);
    expect(["c", "never sent", "a"].map(mock.labelOf)).toEqual(["token#3", "token#4", "token#1"]);
  });

  it("is shared by all tokens after the first ten thousand", () => {
    const mock = createMockPlantStore();
    const labels = Array.from({ length: 10_002 }, (_, index) => mock.labelOf(`${index}`));
    expect(labels.slice(9_999)).toEqual(["token#10000", "token#other", "token#other"]);
    expect(mock.labelOf("0")).toBe("token#1");
  });
});

it("shows a response as text if lists could overflow the stack with its value", async () => {
  const mock = createMockPlantStore();
  for (const levels of [500, 501, 1e5]) {
    const body = "[".repeat(levels) + "]".repeat(levels);
    mock.inject(faults.reply({ status: 500, headers: { "content-type": "application/json" }, body }));
    await post(mock, PLANT);
    expect(typeof mock.requests.last?.reply?.body).toBe(levels === 500 ? "object" : "string");
  }
});

it("shows the plant even if the service does not read the body", async () => {
  const mock = createMockPlantStore();
  await post(mock, PLANT, { headers: {} });
  expect(mock.requests.last).toMatchObject({ status: 401, plant: { id: 9007199254740993n, name: "Fern" } });
  for (const body of ["{", "{}"]) {
    await post(mock, body, { headers: {} });
    expect(mock.requests.last).not.toHaveProperty("plant");
  }
});

it("shows copies of plants: a test that changes one does not change the store", async () => {
  const mock = createMockPlantStore();
  await post(mock, PLANT);
  Object.assign(mock.requests.last?.plant ?? {}, { name: "changed" });
  expect([...mock.plants]).toMatchObject([{ name: "Fern" }]);
});

it("shows each request once to a test that sends others while it iterates", async () => {
  const mock = createMockPlantStore({ maxRecordedRequests: 3 });
  const send = (id: number) => post(mock, `{"id":${id},"name":"x"}`);
  for (const id of [1, 2, 3, 4]) await send(id);
  const seen: unknown[] = [];
  for (const { plant } of mock.requests) {
    seen.push(plant?.id);
    await send(9);
  }
  expect(seen).toEqual([2, 3, 4]);
});

it("keeps the newest requests and counts all", async () => {
  const mock = createMockPlantStore({ maxRecordedRequests: 3 });
  const ids = () => Array.from(mock.requests, ({ plant }) => plant?.id);
  expect([mock.requests.count, mock.requests.last, ids()]).toEqual([0, undefined, []]);
  for (let id = 1; id <= 8; id++) {
    await post(mock, `{"id":${id},"name":"x"}`);
    expect(mock.requests.last?.plant?.id).toBe(id);
    expect(ids()).toEqual([id - 2, id - 1, id].filter((kept) => kept > 0));
  }
  expect(mock.requests.count).toBe(8);
  mock.requests.clear();
  expect([mock.requests.count, mock.requests.last, ids()]).toEqual([0, undefined, []]);
  await post(mock, `{"id":9,"name":"x"}`);
  expect(ids()).toEqual([9]);
});

it("keeps none if the limit is 0", async () => {
  const mock = createMockPlantStore({ maxRecordedRequests: 0 });
  await post(mock, PLANT);
  expect([mock.requests.count, mock.requests.last, [...mock.requests]]).toEqual([1, undefined, []]);
});

it("keeps 1000 by default", async () => {
  const mock = createMockPlantStore();
  for (let id = 0; id < 1001; id++) await post(mock, `{"id":${id},"name":"x"}`);
  expect([...mock.requests]).toHaveLength(1000);
  expect(mock.requests.count).toBe(1001);
});

it("keeps the beginning of a long body, and its plant while the request is open", async () => {
  const mock = createMockPlantStore();
  const name = "ä".repeat(20_000);
  const gate = mock.hold();
  const reply = post(mock, `{"id":1,"name":"${name}"}`);
  await gate.arrived(1);
  expect(mock.requests.last?.bodyText).toHaveLength(16_384);
  expect(mock.requests.last?.plant?.name).toBe(name);
  gate.release();
  await reply;
  await post(mock, `{"id":1,"name":"${name}"}`);
  for (const { bodyText } of mock.requests) expect(bodyText).toBe(`{"id":1,"name":"${name}`.slice(0, 16_384));
  expect(mock.requests.last).not.toHaveProperty("plant");
  expect(mock.plants.get(1)?.name).toBe(name);
});

it("keeps a body of exactly the limit whole, with its plant", async () => {
  const mock = createMockPlantStore();
  await post(mock, `{"id":1,"name":"${"x".repeat(16_384 - 18)}"}`);
  expect(mock.requests.last?.bodyText).toHaveLength(16_384);
  expect(mock.requests.last?.plant?.id).toBe(1);
});

it("keeps the beginning of a long response, as text", async () => {
  const mock = createMockPlantStore();
  mock.inject(faults.apiError(1, "x".repeat(20_000)));
  expect((await post(mock, PLANT)).text).toHaveLength(20_024);
  expect(mock.requests.last?.reply?.body).toBe(`{"error":1,"message":"${"x".repeat(20_000)}`.slice(0, 16_384));
});

it("shows a fault without its long values", async () => {
  const mock = createMockPlantStore();
  const text = "y".repeat(9_000);
  mock.inject(faults.reply({ status: 500, headers: { "X-Long": text }, body: { long: text } }));
  await post(mock, PLANT);
  expect(mock.requests.last?.fault).toEqual({ type: "reply", status: 500 });
  mock.inject(faults.apiError(1, text));
  await post(mock, PLANT);
  expect(mock.requests.last?.fault).toEqual({ type: "apiError", code: 1, message: text.slice(0, 1_000) });
});

it("keeps no more than the beginning of a long body that is not valid UTF-8", async () => {
  await using mock = await startMockPlantStore();
  const body = new Uint8Array(2 ** 20).fill(0xff);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 24; i++) await httpPost(mock.baseUrl, body);
  const keptBytes = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers - before;
  };
  await expect.poll(keptBytes).toBeLessThan(8 * body.length);
  expect(mock.requests.last).toMatchObject({ status: 400, bodyText: "\ufffd".repeat(16_384) });
});

it("does not keep the plant of a long body that is rejected or has no response, even if a fault has read it", async () => {
  const mock = createMockPlantStore({ duplicateIds: "reject", initialPlants: [{ id: 1, name: "Fern" }] });
  mock.inject(faults.networkError(), { when: { id: 2 } });
  const body = (id: number) => `{"id":${id},"name":"${"x".repeat(20_000)}"}`;
  await post(mock, body(1));
  await rejection(post(mock, body(2)));
  const [rejected, failed] = mock.requests;
  expect(rejected).toMatchObject({ status: 400, bodyText: body(1).slice(0, 16_384) });
  expect(rejected).not.toHaveProperty("plant");
  expect(failed).toMatchObject({ fault: { type: "networkError" } });
  expect(failed).not.toHaveProperty("plant");
});

it("shows an ill-formed body as text", async () => {
  const mock = createMockPlantStore();
  await post(mock, new Uint8Array([0xef, 0xbb, 0xbf, 0x41, 0xff]));
  expect(mock.requests.last?.bodyText).toBe("\ufeffA\ufffd");
  await post(mock, `\ufeff${"x".repeat(20_000)}`);
  expect(mock.requests.last?.bodyText).toBe(`\ufeff${"x".repeat(16_383)}`);
});

it.each([
  [{ status: 400, body: { message: "no" } }, "no"],
  [{ status: 500, body: { message: 7 } }, undefined],
  [{ status: 399, body: { message: "no error" } }, undefined],
])("the response %j has the reason %j in the log", async (reply, expected) => {
  const { mock, service } = createMock(resolveOptions({}));
  const logged: unknown[] = [];
  service.observe(({ reason }) => logged.push(reason));
  mock.inject(faults.reply(reply));
  await post(mock, PLANT);
  expect(logged).toEqual([expected]);
});

it("an observer sees each request of every session once, and none that a reset has ended", async () => {
  const { mock, service } = createMock(resolveOptions({}));
  const seen: unknown[] = [];
  service.observe(({ token, status }) => seen.push([token, status]));
  const session = mock.session();
  await post(mock, PLANT);
  await post(session, PLANT);
  session.inject(faults.hang());
  const hanging = rejection(post(session, PLANT));
  session.reset();
  await hanging;
  expect(seen).toEqual([
    [mock.labelOf(mock.token), 200],
    [mock.labelOf(session.token), 200],
  ]);
});

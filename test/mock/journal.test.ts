import { createMockPlantStore, faults, type RecordedRequest } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { describe, expect, it } from "vitest";
import { serviceOf } from "../../mock/service/adapter.ts";
import type { LoggedRequest } from "../../mock/service/mock-plant-store.ts";
import { collectGarbage } from "../collect-garbage.ts";
import { post as httpPost } from "./http/post.ts";
import { post, rejection } from "./post.ts";

const PLANT = '{"id":9007199254740993,"name":"Fern","tag":"green"}';

it("records request and response, with a label in place of the token", async () => {
  const mock = createMockPlantStore();
  const before = Date.now();
  await post(mock, PLANT);
  const { last } = mock.requests;
  expect(last).toStrictEqual({
    at: expect.any(Number),
    method: "POST",
    path: "/plants",
    headers: { authorization: "Bearer token#1", "content-type": "application/json" },
    bodyText: PLANT,
    token: "token#1",
    plant: { id: 9007199254740993n, name: "Fern", tag: "green" },
    status: 200,
    reply: { status: 200, headers: { "content-type": "application/json" }, body: { name: "Fern", tag: "green" } },
    provenance: "declared",
    durationMs: 0,
  });
  expect(last?.at).toBeGreaterThanOrEqual(before);
  expect(mock.labelOf(mock.token)).toBe("token#1");
  expect(mock.labelOf("another")).toBe("token#2");
  expect(() => mock.labelOf(undefined as never)).toThrow(new TypeError("token: must be a string, not undefined"));
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
  ["Bearer secret", "Bearer token#1", "secret"],
  ["Bearer  spaced", "Bearer token#1", "spaced"],
  ["bearer", "bearer", undefined],
  ["xbearer", "token#1", undefined],
  ["bearerx", "token#1", undefined],
  ["xBearer secret", "xBearer token#1", undefined],
  ["Basic dXNlcjpwYXNz", "Basic token#1", undefined],
  ["Basic a b, Basic ab", "Basic token#1, Basic token#2", undefined],
  ["dXNlcjpwYXNz", "token#1", undefined],
  ["Bearer secret, Bearer other", "Bearer token#1, Bearer token#2", undefined],
  ["", "", undefined],
])("shows the Authorization %j as %j", async (authorization, shown, secret) => {
  const mock = createMockPlantStore();
  await post(mock, PLANT, { headers: { Authorization: authorization } });
  expect(mock.requests.last?.headers.authorization).toBe(shown);
  const recorded = mock.requests.last;
  expect(recorded && "token" in recorded).toBe(secret !== undefined);
  if (secret !== undefined) expect(recorded?.token).toBe(mock.labelOf(secret));
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

it("keeps the newest requests and counts all", async () => {
  const mock = createMockPlantStore({ journalLimit: 3 });
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
  const mock = createMockPlantStore({ journalLimit: 0 });
  await post(mock, PLANT);
  expect([mock.requests.count, mock.requests.last, [...mock.requests]]).toEqual([1, undefined, []]);
});

it("keeps 1000 by default", async () => {
  const mock = createMockPlantStore();
  for (let id = 0; id < 1001; id++) await post(mock, `{"id":${id},"name":"x"}`);
  expect([...mock.requests]).toHaveLength(1000);
  expect(mock.requests.count).toBe(1001);
});

it("returns the same object for a request, completed when the request is over", async () => {
  const mock = createMockPlantStore();
  const gate = mock.hold();
  const reply = post(mock, PLANT);
  await gate.arrived(1);
  const [recorded] = mock.requests as unknown as Iterable<RecordedRequest>;
  expect(recorded).not.toHaveProperty("status");
  expect(recorded).not.toHaveProperty("durationMs");
  gate.release();
  await reply;
  expect(recorded?.status).toBe(200);
  expect(mock.requests.last).toBe(recorded);
});

it("measures how long a request took that a fault made wait", async () => {
  const mock = createMockPlantStore();
  mock.inject(faults.delay(20));
  const started = performance.now();
  await post(mock, PLANT);
  const elapsedMs = performance.now() - started;
  const durationMs = mock.requests.last?.durationMs as number;
  expect(durationMs).toBeGreaterThan(0);
  expect(durationMs).toBeLessThanOrEqual(elapsedMs);
});

it("keeps the beginning of a long body, and its whole plant", async () => {
  const mock = createMockPlantStore();
  const name = "ä".repeat(20_000);
  const gate = mock.hold();
  const reply = post(mock, `{"id":1,"name":"${name}"}`);
  await gate.arrived(1);
  expect(mock.requests.last?.bodyText).toHaveLength(16_384);
  gate.release();
  await reply;
  await post(mock, `{"id":1,"name":"${name}"}`);
  for (const { bodyText, plant } of mock.requests) {
    expect(bodyText).toBe(`{"id":1,"name":"${name}`.slice(0, 16_384));
    expect(plant?.name).toBe(name);
  }
});

it("does not keep the plant of a long body that is rejected or has no response, even if a fault has read it", async () => {
  const mock = createMockPlantStore({ duplicateIds: "reject", seed: [{ id: 1, name: "Fern" }] });
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

it("forgets the least recently used label, and never reuses a number", () => {
  const mock = createMockPlantStore();
  for (let i = 1; i <= 1000; i++) expect(mock.labelOf(`t${i}`)).toBe(`token#${i}`);
  expect(mock.labelOf("t1")).toBe("token#1");
  expect(mock.labelOf("t1001")).toBe("token#1001");
  expect(mock.labelOf("t1")).toBe("token#1");
  expect(mock.labelOf("t2")).toBe("token#1002");
});

it("keeps the label of a session's token as long as the session is open", async () => {
  const mock = createMockPlantStore();
  const known = mock.session({ tokens: ["known"] });
  mock.labelOf("early");
  const early = mock.session({ tokens: ["early"] });
  await post(known, PLANT);
  for (let i = 0; i < 1001; i++) mock.labelOf(`other ${i}`);
  expect(["early", "known"].map((token) => mock.labelOf(token))).toEqual(["token#1", "token#2"]);
  known[Symbol.dispose]();
  early[Symbol.dispose]();
  expect(mock.labelOf("known")).toBe("token#2");
  mock.session({ tokens: ["unseen"] })[Symbol.dispose]();
  expect(mock.labelOf("unseen")).toBe("token#1004");
  for (let i = 0; i < 1000; i++) mock.labelOf(`later ${i}`);
  expect(mock.labelOf("known")).toBe("token#2005");
});

it("iterates over a snapshot: later requests are not included", async () => {
  const mock = createMockPlantStore({ journalLimit: 3 });
  const send = (id: number) => post(mock, `{"id":${id},"name":"x"}`);
  for (let id = 1; id <= 4; id++) await send(id);
  const seen: unknown[] = [];
  for (const { plant } of mock.requests) {
    seen.push(plant?.id);
    await send(seen.length + 4);
  }
  expect(seen).toEqual([2, 3, 4]);
});

describe("the bytes of a journal", () => {
  const long = (id: number) => `{"id":${id},"name":"${"x".repeat(900)}"}`;

  it("are limited: the oldest requests lose headers, bodies and responses", async () => {
    const mock = createMockPlantStore({ journalLimitBytes: 9_000 });
    for (let id = 1; id <= 4; id++) await post(mock, long(id));
    const [first, second, , last] = mock.requests;
    expect(first).toStrictEqual({
      at: expect.any(Number),
      method: "POST",
      path: "/plants",
      isDropped: true,
      headers: {},
      bodyText: "",
      token: "token#1",
      status: 200,
      provenance: "declared",
      durationMs: 0,
    });
    expect(second).toHaveProperty("isDropped");
    expect(last).toMatchObject({ bodyText: long(4), plant: { id: 4 }, reply: { status: 200 } });
    expect(mock.requests.count).toBe(4);
    expect(mock.plants.get(1)?.name).toHaveLength(900);
  });

  it("include the fault and the headers of its response", async () => {
    const mock = createMockPlantStore({ journalLimitBytes: 20_000 });
    const text = "y".repeat(9_000);
    mock.inject(faults.reply({ status: 500, headers: { "X-Long": text }, body: { long: text } }));
    await post(mock, PLANT);
    expect(mock.requests.last?.fault).toEqual({ type: "reply", status: 500 });
    mock.inject(faults.apiError(1, text));
    await post(mock, PLANT);
    expect(mock.requests.last?.fault).toEqual({ type: "apiError", code: 1, message: text.slice(0, 1_000) });
  });

  it.each<[string, BodyInit, number]>([
    ["a long name", `{"id":1,"name":"${"x".repeat(100_000)}"}`, 432_000],
    ["a long tag", `{"id":1,"name":"x","tag":"${"y".repeat(100_000)}"}`, 432_000],
    ["only the beginning of a long body", `{"id":1,"name":"x"}${" ".repeat(100_000)}`, 32_000],
    ["only the beginning of a long body that is not valid UTF-8", new Uint8Array(100_000).fill(0xff), 32_000],
  ])("include %s", async (_part, body, bytes) => {
    for (const [journalLimitBytes, isDropped] of [
      [bytes, true],
      [bytes + 2_000, undefined],
    ] as const) {
      const mock = createMockPlantStore({ journalLimitBytes });
      await post(mock, body);
      expect(mock.requests.last?.isDropped).toBe(isDropped);
    }
  });

  it("are all that a server keeps of a long body that is not valid UTF-8", async () => {
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

  it("include the headers that a server receives", async () => {
    await using mock = await startMockPlantStore({ journalLimitBytes: 10_000 });
    await fetch(`${mock.baseUrl}/plants`, { headers: { "X-Long": "x".repeat(10_000) } });
    expect(mock.requests.last).toMatchObject({ isDropped: true, headers: {} });
  });

  it("leave a request that a test has read unchanged", async () => {
    const mock = createMockPlantStore({ journalLimitBytes: 6_000 });
    await post(mock, long(1));
    const { last } = mock.requests;
    await post(mock, long(2));
    await post(mock, long(3));
    expect(last).toMatchObject({ bodyText: long(1), plant: { id: 1 } });
    expect([...mock.requests][0]).toMatchObject({ isDropped: true, bodyText: "" });
  });

  it("drop a request that alone is too large, and truncate its path", async () => {
    const mock = createMockPlantStore({ journalLimitBytes: 0 });
    await mock.fetch(`${mock.baseUrl}/${"x".repeat(5_000)}`);
    expect(mock.requests.last?.path).toBe(`/${"x".repeat(999)}`);
    mock.inject(faults.networkError());
    expect((await rejection(post(mock, PLANT))).cause).toMatchObject({ code: "ECONNRESET" });
    expect(mock.requests.last).toMatchObject({ isDropped: true, provenance: "injected" });
    await post(mock, new Uint8Array([0xff]));
    expect(mock.requests.last).toMatchObject({ isDropped: true, bodyText: "", status: 400 });
  });

  it("are dropped in the order of arrival, even if the oldest request ends last", async () => {
    const mock = createMockPlantStore({ journalLimitBytes: 9_000 });
    mock.inject(faults.hang(), { when: { id: 1 } });
    const controller = new AbortController();
    const first = rejection(post(mock, long(1), { signal: controller.signal }));
    for (let id = 2; id <= 5; id++) await post(mock, long(id));
    const isDropped = () => [...mock.requests].map((request) => request.isDropped === true);
    expect(isDropped()).toEqual([false, true, true, false, false]);
    controller.abort();
    await first;
    expect(isDropped()).toEqual([true, true, true, false, false]);
  });

  it("are shared by all sessions: eight times the limit of one", async () => {
    const mock = createMockPlantStore({ journalLimitBytes: 4_000 });
    const sessions = Array.from({ length: 12 }, () => mock.session());
    for (const session of sessions) await post(session, long(1));
    const isDropped = () => sessions.map(({ requests }) => requests.last?.isDropped === true);
    expect(isDropped().slice(0, 2)).toEqual([true, true]);
    expect(isDropped().slice(-8)).toEqual(Array(8).fill(false));
    for (const session of sessions.slice(-8)) session.requests.clear();
    const more = Array.from({ length: 8 }, () => mock.session());
    for (const session of more) await post(session, long(1));
    expect(more.map(({ requests }) => requests.last?.isDropped === true)).toEqual(Array(8).fill(false));
  });

  it("are not dropped while a request is open, although it is the oldest of all, but as soon as it is over", async () => {
    const mock = createMockPlantStore({ journalLimitBytes: 4_000 });
    const gate = mock.hold();
    const held = post(mock, long(1));
    await gate.arrived(1);
    const sessions = Array.from({ length: 12 }, () => mock.session());
    for (const session of sessions) await post(session, long(1));
    expect([mock.requests.last?.isDropped, mock.requests.last?.bodyText]).toEqual([undefined, long(1)]);
    const isDropped = () => sessions.map(({ requests }) => requests.last?.isDropped === true);
    const before = isDropped();
    expect([before[0], before[11]]).toEqual([true, false]);
    gate.release();
    await held;
    expect(mock.requests.last?.isDropped).toBe(true);
    expect(isDropped()).toEqual(before);
  });

  it("are dropped in the order of all sessions, whichever have been cleared in between", async () => {
    const mock = createMockPlantStore({ journalLimitBytes: 4_000 });
    const sessions = Array.from({ length: 11 }, () => mock.session());
    for (const session of sessions.slice(0, 8)) await post(session, long(1));
    sessions[1]?.requests.clear();
    for (const session of sessions.slice(8)) await post(session, long(1));
    const dropped = sessions.flatMap(({ requests }, i) => (requests.last?.isDropped ? [i] : []));
    expect(dropped).toEqual([0, 2]);
  });

  it("are dropped in that order even after a journal has let go of a request that was dropped before", async () => {
    const mock = createMockPlantStore({ journalLimit: 2, journalLimitBytes: 4_000 });
    const busy = mock.session();
    const sessions = Array.from({ length: 9 }, () => mock.session());
    for (const id of [1, 2]) await post(busy, long(id));
    for (const session of sessions.slice(0, 6)) await post(session, long(1));
    await post(busy, '{"id":3,"name":"x"}');
    for (const session of sessions.slice(6)) await post(session, long(1));
    const dropped = sessions.flatMap(({ requests }, i) => (requests.last?.isDropped ? [i] : []));
    expect(dropped).toEqual([0]);
  });

  it("are those of the requests that the journal keeps, of which the oldest is dropped first", async () => {
    const mock = createMockPlantStore({ journalLimit: 3, journalLimitBytes: 12_000 });
    const kept = () => Array.from(mock.requests, ({ plant }) => plant?.id);
    for (let id = 1; id <= 4; id++) await post(mock, long(id));
    expect(kept()).toEqual([2, 3, 4]);
    await post(mock, `{"id":5,"name":"${"x".repeat(1_800)}"}`);
    expect(kept()).toEqual([undefined, 4, 5]);
  });

  it("are not counted for a request that the journal no longer keeps", async () => {
    const mock = createMockPlantStore({ journalLimit: 1, journalLimitBytes: 6_000 });
    const gate = mock.hold();
    const replies = [post(mock, long(1)), post(mock, long(2))];
    await gate.arrived(2);
    gate.release();
    await Promise.all(replies);
    expect(mock.requests.last).toMatchObject({ plant: { id: 2 } });
    expect(mock.requests.last).not.toHaveProperty("isDropped");
  });
});

it("logs the plant of a request even if the service did not read its body", async () => {
  const mock = createMockPlantStore({ auth: { tokens: ["valid"] } });
  const plant = { id: 9007199254740993n, name: "Fern", tag: "green" };
  const logged: Partial<LoggedRequest>[] = [];
  serviceOf(mock).observe(({ status, plant, reason }) => logged.push({ status, plant, reason }));
  await post(mock, PLANT, { headers: {} });
  await post(mock, PLANT);
  expect(logged).toEqual([
    { status: 401, plant, reason: "Authorization: is required; send `Bearer <token>`" },
    { status: 200, plant, reason: undefined },
  ]);
  expect([...mock.requests][0]).toHaveProperty("plant.id", 9007199254740993n);
});

it.each([
  [{ status: 400, body: { message: "no" } }, "no"],
  [{ status: 500, body: { message: 7 } }, undefined],
  [{ status: 399, body: { message: "no error" } }, undefined],
])("the response %j has the reason %j in the log", async (reply, expected) => {
  const mock = createMockPlantStore();
  const logged: unknown[] = [];
  serviceOf(mock).observe(({ reason }) => logged.push(reason));
  mock.inject(faults.reply(reply));
  await post(mock, PLANT);
  expect(logged).toEqual([expected]);
});

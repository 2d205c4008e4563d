import { createMockPlantStore, faults } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { everyOperation } from "../declared-operations.ts";
import { post } from "./post.ts";

const PLANT = '{"id":1,"name":"Fern"}';

it("lists every problem with its fix", async () => {
  const mock = createMockPlantStore();
  mock.inject(faults.apiError(1, "no"), { times: 3, when: { name: "Fern" } });
  mock.inject(faults.hang(), { when: { id: 9007199254740993n } });
  mock.inject(faults.hang(), { when: () => false, times: Number.POSITIVE_INFINITY });
  await post(mock, PLANT);
  await mock.fetch(`${mock.baseUrl}/plants`, { method: "HEAD" });
  await mock.fetch(`${mock.baseUrl}/plants`, { method: "HEAD" });
  await mock.fetch(`${mock.baseUrl}/plant`, { method: "POST" });
  await mock.fetch("http://example.test/").catch(() => {});
  const gate = mock.hold();
  const held = [post(mock, PLANT), post(mock, PLANT)];
  expect(() => mock.verify()).toThrow(
    new Error(
      `mock.verify() found 7 problems:
- the fault apiError #1 (when {"name":"Fern"}) was used 1 of 3 times: send matching requests, or inject it fewer times
- the fault hang #2 (when {"id":"9007199254740993"}) was never used: send matching requests, or inject it fewer times
- the fault hang #3 (when a function matches) was never used: send matching requests, or inject it fewer times
- 2 requests held at a gate, first POST /plants: call release() on the gate, or reset()
- HEAD /plants returned 405: the service has no such operation (2 times): send ${everyOperation()}, or set the response with the option replies.methodNotAllowed
- POST /plant returned 404: the service has no such operation: send ${everyOperation()}, or set the response with the option replies.notFound
- GET http://example.test/ is outside the base URL https://plant-store.test: give the client the baseUrl of the mock`,
    ),
  );
  gate.release();
  await Promise.all(held);
  mock.reset();
  mock.verify();
});

it("lists twenty unused faults, and counts the others", () => {
  const mock = createMockPlantStore();
  for (let i = 0; i < 20; i++) mock.inject(faults.hang());
  expect(() => mock.verify()).toThrow(/found 20 problems:(\n- the fault hang #\d+ was never used: .*){20}$/);
  mock.inject(faults.hang());
  expect(() => mock.verify()).toThrow(
    /problems:(\n- the fault hang #\d+ was never used: .*){20}\n- and 1 more faults like these$/,
  );
});

it.each([faults.apiError(1, "no"), faults.networkError(), faults.delay(1)])(
  "reports a wrong path that the fault $type met",
  async (fault) => {
    const mock = createMockPlantStore();
    mock.inject(fault);
    await mock.fetch(`${mock.baseUrl}/plantz`, { method: "PUT" }).catch(() => {});
    expect(() => mock.verify()).toThrow(
      `found 1 problem:\n- PUT /plantz met the fault ${fault.type}: the service has no such operation: send ${everyOperation()}, or set the response with the option replies.notFound`,
    );
  },
);

it("reports no wrong path that a fault met if an option sets the response to it", async () => {
  const mock = createMockPlantStore({ replies: { notFound: { status: 404 } } });
  mock.inject(faults.delay(1));
  expect((await mock.fetch(`${mock.baseUrl}/plantz`, { method: "PUT" })).status).toBe(404);
  mock.verify();
});

it("names an option that is not yet set, in strict mode", async () => {
  const mock = createMockPlantStore({ strict: true, duplicateIds: "reject", initialPlants: [{ id: 1, name: "Fern" }] });
  await post(mock, PLANT);
  expect(() => mock.verify()).toThrow('assumption "duplicateId": set the option replies.duplicateId, or inject');
});

it("counts no assumption that an option chooses, and none of a response that nobody received, in strict mode", async () => {
  const options = { unknownFields: "reject", rateLimit: { quota: 9, windowSeconds: 60 } } as const;
  const mock = createMockPlantStore({ strict: true, ...options, replies: { json: { error: 7 } } });
  await post(mock, "{");
  mock.inject(faults.lostResponse());
  await expect(post(mock, "[]")).rejects.toThrow("fetch failed");
  mock.inject(faults.delay(60_000));
  const left = new AbortController();
  const response = post(mock, "[]", { signal: left.signal });
  await expect.poll(() => mock.requests.count).toBe(3);
  left.abort();
  await expect(response).rejects.toThrow();
  mock.inject(faults.reply({ status: 502 }, { stored: true }));
  await post(mock, "[]");
  for (let count = 0; count < 6; count++) await post(mock, PLANT);
  expect(mock.requests.last?.status).toBe(429);
  mock.verify();
});

it("does not report requests that wait in a fault: they have met it as planned", async () => {
  const mock = createMockPlantStore();
  mock.inject(faults.hang());
  mock.inject(faults.delay(100_000));
  mock.inject(faults.stalledBody());
  const replies = [post(mock, PLANT), post(mock, PLANT), post(mock, PLANT)].map((reply) => reply.catch(() => {}));
  await expect.poll(() => mock.requests.count).toBe(3);
  mock.verify();
  mock.reset();
  await Promise.all(replies);
});

it("reports gates that held no request, released or not", async () => {
  const mock = createMockPlantStore();
  mock.hold().release();
  const gate = mock.hold();
  expect(() => mock.verify()).toThrow("found 1 problem:\n- 2 gates held no request: send a request after hold()");
  const reply = post(mock, PLANT);
  await gate.arrived(1);
  gate.release();
  await reply;
  expect(() => mock.verify()).toThrow("1 gate held no request");
  mock.reset();
  mock.verify();
});

it("still reports problems after the requests were cleared", async () => {
  const mock = createMockPlantStore();
  await mock.fetch(`${mock.baseUrl}/x`);
  mock.requests.clear();
  expect(() => mock.verify()).toThrow("mock.verify() found 1 problem:\n- GET /x returned 404");
});

it("checks only its own session", async () => {
  const mock = createMockPlantStore();
  const session = mock.session();
  session.inject(faults.hang());
  mock.verify();
  expect(() => session.verify()).toThrow("the fault hang #1 was never used");
});

it("lists the first twenty of many problems", async () => {
  const mock = createMockPlantStore();
  for (let i = 0; i < 25; i++) await mock.fetch(`${mock.baseUrl}/${i}`);
  expect(() => mock.verify()).toThrow(/found 21 problems:.*\/19 returned.*and 5 more problems like these$/s);
});

it("reports assumptions that responses relied on, if strict", async () => {
  const strict = createMockPlantStore({ strict: true });
  await post(strict, PLANT);
  strict.inject(faults.apiError(1, "no"));
  await post(strict, PLANT);
  strict.verify();
  await post(strict, "{");
  await post(strict, '{"id":1,"name":"x","color":"red"}');
  expect(() => strict.verify()).toThrow(
    new Error(
      `mock.verify() found 2 problems:
- strict: the response to POST /plants relied on the assumption "json": set the option replies.json, or inject the response as a fault
- strict: the response to POST /plants relied on the assumption "unknownFields": set the option replies.unknownFields or unknownFields, or inject the response as a fault`,
    ),
  );
  const lenient = createMockPlantStore();
  await post(lenient, "{");
  lenient.verify();
});

const fail = (error: unknown) => () => {
  throw error;
};

it.each<[what: string, result: () => unknown, problem: string]>([
  ["throws", fail(new Error("oops")), "threw: oops"],
  ["throws something other than an Error", fail(Symbol("oops")), "threw: Symbol(oops)"],
  ["returns a promise", async () => true, "threw: it must return true or false, not a promise"],
  ["returns a text", () => "Fern", "threw: it must return true or false, not a string"],
])("reports a function of the test that %s, which counts as false", async (_what, fails, problem) => {
  const mock = createMockPlantStore({ auth: { tokens: fails as never } });
  mock.inject(faults.hang(), { when: fails as never });
  expect((await post(mock, PLANT)).status).toBe(401);
  expect(() => mock.verify()).toThrow(`the \`when\` function of the fault hang ${problem}: fix that function`);
  const fix = "fix that function; the mock treated the token as invalid";
  expect(() => mock.verify()).toThrow(`auth.tokens ${problem}: ${fix}`);
});

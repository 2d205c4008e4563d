import fc from "fast-check";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ControlRoute, SESSION } from "../../mock/http/control/control-route.ts";
import { routes } from "../../mock/http/control/routes.ts";
import { faultDefinitions } from "../../mock/service/faults/fault.ts";
import { assertProperty, timeoutMs } from "./assert-property.ts";
import { SPECIAL_HEADERS } from "./special-headers.ts";

let mock: HttpMockPlantStore;
beforeAll(async () => {
  mock = await startMockPlantStore();
});
afterAll(() => mock.close());

/** The routes that respond at once: not the wait for arrivals. */
const calls = Object.values<ControlRoute>(routes).filter(({ maxWaitMs }) => maxWaitMs === undefined);

const names = fc.oneof(
  fc.constantFrom("root", "session-1", "1", "-1", "0", "9".repeat(19), "__proto__", "constructor", "..", "%", "%00"),
  fc.string({ maxLength: 20 }),
);
const parameters = fc.dictionary(
  fc.oneof(fc.constantFrom(...Object.keys(SESSION), "after", "limit", "last", "count"), fc.string({ maxLength: 5 })),
  names,
  { maxKeys: 2 },
);
const specialHeaders = fc.dictionary(
  fc.oneof(fc.constantFrom(...SPECIAL_HEADERS), fc.string({ maxLength: 10 })),
  fc.oneof(fc.constantFrom("1", "chunked", "close", "100-continue", "gzip", "\r\nX: 1"), fc.string(), fc.jsonValue()),
  { maxKeys: 3 },
);
const faults = fc.record(
  {
    type: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...Object.keys(faultDefinitions)) }, fc.jsonValue()),
    status: fc.oneof(fc.integer({ min: 100, max: 600 }), fc.jsonValue()),
    headers: fc.oneof(specialHeaders, fc.jsonValue()),
    body: fc.oneof(fc.string(), fc.jsonValue()),
    code: fc.oneof(fc.integer(), fc.jsonValue()),
    message: fc.oneof(fc.string(), fc.jsonValue()),
    ms: fc.oneof(fc.constantFrom(0, 1, -1), fc.jsonValue()),
    retryAfterSeconds: fc.oneof(fc.constantFrom(0, 1, -1, 2 ** 31), fc.jsonValue()),
  },
  { requiredKeys: ["type"] },
);
const bodies = fc
  .oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map((plant) => JSON.stringify({ id: 1, name: plant })),
    fc.jsonValue().map((tokens) => JSON.stringify({ tokens })),
    fc
      .dictionary(fc.constantFrom("fault", "times", "when", "tokens", "token", "__proto__"), fc.jsonValue())
      .map(toJson),
  )
  .filter((text) => text.length < 10_000);

function toJson(value: unknown): string {
  return JSON.stringify(value);
}

/** The statuses that the document names for some call; and 405, because a name such as `..` leads to another path. */
const STATUSES = [200, 201, 202, 204, 400, 404, 405, 409, 413];

/** Messages of the JavaScript engine, which the mock never shows. */
const INTERNAL = /is not (a function|iterable)|Cannot (read|convert|mix|destructure)|undefined \(|Maximum call stack/;

async function control(method: string, target: string, body: string): Promise<void> {
  const hasBody = method === "POST" && body !== "";
  const response = await fetch(`${mock.url}/_mock${target}`, { method, ...(hasBody && { body }) });
  const text = await response.text();
  expect(STATUSES).toContain(response.status);
  if (response.status < 400) return;
  expect(JSON.parse(text)).toEqual({ error: expect.any(Number), message: expect.not.stringMatching(INTERNAL) });
}

async function expectStillServing(): Promise<void> {
  mock.reset();
  const headers = { Authorization: `Bearer ${mock.token}`, "Content-Type": "application/json" };
  const response = await fetch(`${mock.baseUrl}/plants`, { method: "POST", headers, body: '{"id":1,"name":"x"}' });
  expect(await response.text()).toBe('{"name":"x"}');
}

test("the control API responds to any call, and the mock keeps working", { timeout: timeoutMs }, async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...calls),
    names,
    parameters,
    bodies,
    async ({ method, path }, name, query, body) => {
      const target = path.replace(/\{\w+\}/, () => encodeURIComponent(name));
      await control(method, `${target}?${new URLSearchParams(query)}`, body);
      await expectStillServing();
    },
  );
  await assertProperty(property, 300);
});

test("a fault with any header is rejected, or affects only one request", { timeout: timeoutMs }, async () => {
  const property = fc.asyncProperty(faults, async (fault) => {
    await control("POST", "/faults", JSON.stringify({ fault }));
    const headers = { Authorization: `Bearer ${mock.token}`, "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(200);
    const init = { method: "POST", headers, body: '{"id":1,"name":"x"}', redirect: "manual", signal } as const;
    // The fault may cause a response, a closed connection or a timeout.
    await fetch(`${mock.baseUrl}/plants`, init).then(
      (response) => response.text().catch(() => {}),
      () => {},
    );
    await expectStillServing();
  });
  await assertProperty(property, 100);
});

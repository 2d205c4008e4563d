import fc from "fast-check";
import { expect, test } from "vitest";
import type { ControlRoute } from "../../mock/http/control/control-route.ts";
import { routes } from "../../mock/http/control/routes.ts";
import { sharedMock } from "../mock/http/shared-mock.ts";
import { assertProperty, timeoutMs } from "./assert-property.ts";

const mock = await sharedMock();

/** The routes that respond at once: not the wait for arrivals. */
const calls = Object.values<ControlRoute>(routes).filter(({ maxWaitMs }) => maxWaitMs === undefined);

const names = fc.oneof(
  fc.constantFrom("root", "session-1", "1", "-1", "0", "9".repeat(19), "__proto__", "constructor", "..", "%", "%00"),
  fc.string({ maxLength: 20 }),
);
const parameters = fc.dictionary(
  fc.oneof(fc.constantFrom("session", "after", "limit", "last", "count"), fc.string({ maxLength: 5 })),
  names,
  { maxKeys: 2 },
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

/** The statuses of some call; and 405, because a name such as `..` leads to another path. */
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

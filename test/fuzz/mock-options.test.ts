import fc from "fast-check";
import { createMockPlantStore, faults, type MockPlantStore } from "plant-store-client/mock";
import { test } from "vitest";
import { faultTable } from "../../mock/service/faults/fault-table.ts";
import { mockRules } from "../../mock/service/resolve-options.ts";
import { assertProperty, timeoutMs } from "./assert-property.ts";

/** Values that a JavaScript caller, a configuration file or a control call may pass. */
const values = fc.oneof(
  fc.anything({ withBigInt: true, withNullPrototype: true, withMap: true, withDate: true, withSparseArray: true }),
  fc.constantFrom<unknown>("accept", "reject", "json", "any", "https://plants.test", 0, 1, 2 ** 31, Number.NaN, -0, []),
);
const known = fc.constantFrom(
  ...Object.keys(mockRules),
  ...["times", "when", "tokens", "status", "headers", "body", "type", "code", "message", "retryAfterSeconds", "ms"],
  ...["perSecond", "burst", "quota", "windowSeconds", "retryAfter", "id", "name", "tag", "error", "json"],
);
const objects = fc.dictionary(fc.oneof(known, fc.string()), fc.oneof(values, fc.dictionary(known, values)), {
  maxKeys: 4,
});
const types = fc.oneof(fc.constantFrom(...Object.keys(faultTable)), values);
const anyFault = fc.tuple(objects, types).map(([fields, type]) => ({ ...fields, type }));

/** The members that accept input. */
const calls: Record<string, fc.Arbitrary<(mock: MockPlantStore) => unknown>> = {
  createMockPlantStore: fc.oneof(objects, values).map((options) => () => createMockPlantStore(options as never)),
  "inject a fault": anyFault.map((fault) => (mock) => mock.inject(fault as never)),
  "inject with options": fc
    .oneof(objects, values)
    .map((options) => (mock) => mock.inject(faults.hang(), options as never)),
  session: fc.oneof(objects, values).map((options) => (mock) => mock.session(options as never)),
  "plants.add": fc.oneof(objects, values).map((plant) => (mock) => mock.plants.add(plant as never)),
  "plants.get": values.map((id) => (mock) => mock.plants.get(id as never)),
  arrived: values.map(
    (count) => (mock) =>
      mock
        .hold()
        .arrived(count as never)
        .catch(() => {}),
  ),
};

test.each(Object.keys(calls))(
  "%s accepts a value from outside, or throws a TypeError",
  { timeout: timeoutMs },
  async (name) => {
    const property = fc.asyncProperty(calls[name] as fc.Arbitrary<(mock: MockPlantStore) => unknown>, async (call) => {
      const mock = createMockPlantStore();
      try {
        call(mock);
      } catch (error) {
        if (!(error instanceof TypeError) || error.message === "") throw error;
        // An error of the mock, not for example of a property of undefined.
        if (/is not (a function|iterable)|Cannot (read|convert|mix)|undefined \(/.test(error.message)) throw error;
      }
      // Accepted options never keep the mock from working.
      const headers = { Authorization: "Bearer t", "Content-Type": "application/json" };
      const controller = new AbortController();
      const init = { method: "POST", headers, body: '{"id":1,"name":"x"}', signal: controller.signal };
      const sent = mock.fetch(`${mock.baseUrl}/plants`, init).then((response) => response.status);
      setImmediate(() => controller.abort(new Error("enough")));
      await sent.catch((error: unknown) => {
        if (!(error instanceof Error)) throw error;
      });
      mock.reset();
    });
    await assertProperty(property, 300);
  },
);

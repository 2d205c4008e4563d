import { inspect } from "node:util";
import { isPlantStoreError } from "plant-store-client";
import { describe, expect, test } from "vitest";
import { PLANT, setup, TOKEN } from "./fixtures/setup.ts";

const fails = () => {
  throw new Error(`a getter of ${TOKEN}`);
};

/** What an error, or a field of one, may be. */
const VALUES: [name: string, make: () => unknown][] = [
  ["undefined", () => undefined],
  ["null", () => null],
  ["a symbol", () => Symbol(TOKEN)],
  ["a bigint", () => 2n ** 70n],
  ["a function", () => Object.assign(() => TOKEN, { toString: fails })],
  ["an object without a prototype", () => Object.create(null)],
  ["an object", () => ({ error: `reset by ${TOKEN}` })],
  ["an array", () => [Object.create(null), TOKEN]],
  ["a getter that throws", () => Object.defineProperty({}, "message", { get: fails, enumerable: true })],
  ["a tag that throws", () => Object.defineProperty({}, Symbol.toStringTag, { get: fails })],
  ["a toString that throws", () => ({ toString: fails, [Symbol.toPrimitive]: fails })],
  ["a revoked Proxy", revoked],
  ["a Proxy that throws", () => new Proxy({}, { get: fails, ownKeys: fails, has: fails, getPrototypeOf: fails })],
  ["a Proxy of an error that throws", () => new Proxy(new Error("x"), { getOwnPropertyDescriptor: fails, get: fails })],
  ["a ring", ring],
];

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function ring() {
  const error = new Error(TOKEN);
  return Object.assign(error, { cause: error, errors: [error] });
}

const FIELDS = ["message", "name", "stack", "code", "cause", "errors", "syscall", "port", "reason"];

const ERRORS = VALUES.flatMap(([name, make]): [name: string, make: () => unknown][] => [
  [name, make],
  ...FIELDS.map((field): [name: string, make: () => unknown] => [
    `an error with ${name} as its ${field}`,
    () =>
      Object.defineProperty(Object.assign(new Error("x"), { code: "ECONNRESET", library: "SSL" }), field, {
        value: make(),
      }),
  ]),
]);

/** Everything that a log may show. */
const shown = (error: unknown) => `${error} ${JSON.stringify(error)} ${inspect(error, { depth: 9 })}`;

describe("each of 150 errors that others may throw becomes one of this library", () => {
  test.each<[thrower: string, options: (error: unknown) => object]>([
    ["fetch", (error) => ({ fetch: () => Promise.reject(error) })],
    [
      "fetch, before it returns",
      (error) => ({
        fetch: () => {
          throw error;
        },
      }),
    ],
    ["a token provider", (error) => ({ token: () => Promise.reject(error) })],
    [
      "a token provider, before it returns",
      (error) => ({
        token: () => {
          throw error;
        },
      }),
    ],
    ["a token provider, as its result", (error) => ({ token: async () => error })],
    ["fetch, as its result", (error) => ({ fetch: async () => error })],
  ])("of %s", async (thrower, optionsOf) => {
    for (const [name, make] of ERRORS) {
      const { client } = setup([], { maxRetries: 0, ...optionsOf(make()) });
      const result = await client.tryCreatePlant(PLANT);
      const isOwn = !result.ok && isPlantStoreError(result.error) && ["not-sent", "unknown"].includes(result.outcome);
      expect(isOwn, name).toBe(true);
      // The client has never seen the token of a provider that fails.
      if (thrower.startsWith("fetch")) expect(shown(result.error), name).not.toContain(TOKEN);
      else expect(shown(result.error), name).toContain("got no token");
    }
  });
});

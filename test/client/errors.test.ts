import {
  isPlantStoreError,
  PlantStoreAbortError,
  PlantStoreApiError,
  PlantStoreConfigError,
  PlantStoreConnectionError,
  PlantStoreError,
  PlantStoreInputError,
  PlantStoreResponseError,
  PlantStoreTimeoutError,
  PlantStoreTokenError,
} from "plant-store-client";
import { describe, expect, test, vi } from "vitest";
import { errorOf } from "./fixtures/outcome-of.ts";
import { refused } from "./fixtures/replies.ts";
import { PLANT, setup } from "./fixtures/setup.ts";

const headers = new Headers({ "x-request-id": "r1" });
const body = { error: 17, message: "no" };
const attempts = [{ number: 1, startedAt: 0, durationMs: 1, status: 400, reason: "status" }] as const;

const ALL = [
  ["config", PlantStoreConfigError, new PlantStoreConfigError({ message: "m", option: "timeoutMs" })],
  [
    "input",
    PlantStoreInputError,
    new PlantStoreInputError({ message: "m", issues: [{ path: ["id"], message: "is required" }] }),
  ],
  ["token", PlantStoreTokenError, new PlantStoreTokenError({ message: "m", cause: new Error("c") })],
  [
    "api",
    PlantStoreApiError,
    new PlantStoreApiError({ message: "m", status: 400, code: 17, headers, body, outcome: "rejected", attempts }),
  ],
  [
    "response",
    PlantStoreResponseError,
    new PlantStoreResponseError({
      message: "m",
      status: 502,
      headers,
      bodyText: "<p>",
      reason: "status",
      outcome: "unknown",
    }),
  ],
  ["connection", PlantStoreConnectionError, new PlantStoreConnectionError({ message: "m" })],
  ["timeout", PlantStoreTimeoutError, new PlantStoreTimeoutError({ message: "m", timeoutMs: 5 })],
  ["aborted", PlantStoreAbortError, new PlantStoreAbortError({ message: "m", cause: "reason" })],
] as const;

describe.each(ALL)("%s", (kind, Class, error) => {
  test("is recognized by its kind, its name and its class, and by no other class", () => {
    expect(error.kind).toBe(kind);
    expect(error.name).toBe(Class.name);
    expect(`${error}`).toBe(`${Class.name}: m`);
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(PlantStoreError);
    expect(isPlantStoreError(error)).toBe(true);
    expect(ALL.filter(([, Other]) => error instanceof Other).map(([other]) => other)).toEqual([kind]);
    expect(error.stack).toContain(Class.name);
    expect(Object.keys(error)).not.toContain("name");
  });
  test("goes into a log as JSON, with no stack", () => {
    const json = JSON.parse(JSON.stringify(error));
    expect(json).toMatchObject({ name: Class.name, message: "m", kind, outcome: error.outcome });
    expect(json.attempts).toEqual(error.attempts);
    expect(json).not.toHaveProperty("stack");
  });
});

test("an outcome that is not given, or undefined, is not-sent, and the attempts are none", () => {
  for (const absent of [{}, { outcome: undefined, attempts: undefined, cause: undefined }]) {
    const error = new PlantStoreConnectionError({ message: "m", ...absent });
    expect(error).toMatchObject({ outcome: "not-sent", attempts: [] });
    expect("cause" in error).toBe(false);
  }
});

test("toJSON has the fields of the class, the headers by name and the cause in short", () => {
  const cause = Object.assign(new TypeError("fetch failed"), { code: "ECONNRESET", secret: 1 });
  const error = new PlantStoreApiError({
    message: "no",
    status: 429,
    code: 17,
    headers,
    body,
    retryAfterMs: 5000,
    cause,
    outcome: "rejected",
    attempts,
  });
  expect(error.toJSON()).toEqual({
    name: "PlantStoreApiError",
    message: "no",
    kind: "api",
    outcome: "rejected",
    attempts,
    status: 429,
    code: 17,
    headers: { "x-request-id": "r1" },
    body,
    retryAfterMs: 5000,
    cause: { name: "TypeError", message: "fetch failed", code: "ECONNRESET" },
  });
});

test.each([
  ["a text", "E_LATE", "E_LATE"],
  ["a number", 20, 20],
  ["a bigint", 1n, undefined],
  ["an object with a cycle", globalThis, undefined],
])("JSON.stringify shows a code of the cause only if it is a text or a number: %s", (_, code, shown) => {
  const cause = Object.assign(new Error("stopped"), { code });
  const json = JSON.parse(JSON.stringify(new PlantStoreAbortError({ message: "no", cause })));
  expect(json.cause).toEqual({ name: "Error", message: "stopped", code: shown });
});

test("JSON.stringify omits a reason that JSON may not be able to show", () => {
  for (const cause of [1n, globalThis, 7, { why: "late" }]) {
    const json = JSON.parse(JSON.stringify(new PlantStoreAbortError({ message: "no", cause })));
    expect(json).toMatchObject({ name: "PlantStoreAbortError", message: "no" });
    expect(json).not.toHaveProperty("cause");
  }
});

test("toJSON has every value of a header, and a reason that is a text", () => {
  const cookies = new Headers([
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
  ]);
  const refusal = new PlantStoreApiError({ message: "no", status: 400, code: 1, headers: cookies, body });
  expect(refusal.toJSON()).toMatchObject({ headers: { "set-cookie": "a=1, b=2" } });
  expect(new PlantStoreAbortError({ message: "no", cause: "the user left" }).toJSON()).toMatchObject({
    cause: "the user left",
  });
});

test("the name of every error may be changed and defined anew, as that of the runtime's own", () => {
  const attributes = (prototype: object) => ({ ...Object.getOwnPropertyDescriptor(prototype, "name"), value: "" });
  for (const [, , error] of ALL) {
    expect(attributes(Object.getPrototypeOf(error))).toEqual(attributes(TypeError.prototype));
  }
});

test("every error has the brand that other versions of the package look for", () => {
  for (const [, , error] of ALL) expect(Symbol.for("plant-store-client.error") in error).toBe(true);
});

test("other values are not errors of this library", () => {
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const value of [
    undefined,
    revoked,
    null,
    7,
    "PlantStoreError",
    new Error("x"),
    {},
    { kind: "api" },
    () => 1,
    Symbol("x"),
  ]) {
    expect(isPlantStoreError(value)).toBe(false);
    expect(value instanceof PlantStoreError).toBe(false);
    expect(value instanceof PlantStoreApiError).toBe(false);
  }
});

describe("a second copy of the module, as the CommonJS one is", () => {
  test("makes errors that the first one knows, and the other way round", async () => {
    vi.resetModules();
    const copy = await import("../../src/errors.ts");
    expect(copy.PlantStoreApiError).not.toBe(PlantStoreApiError);
    const foreign = new copy.PlantStoreTimeoutError({ message: "m", timeoutMs: 5 });
    expect(isPlantStoreError(foreign)).toBe(true);
    expect(foreign instanceof PlantStoreError).toBe(true);
    expect(foreign instanceof PlantStoreTimeoutError).toBe(true);
    expect(foreign instanceof PlantStoreApiError).toBe(false);
    for (const [kind, , error] of ALL) {
      expect(copy.isPlantStoreError(error)).toBe(true);
      expect(error instanceof copy.PlantStoreError).toBe(true);
      expect(error instanceof copy.PlantStoreTimeoutError).toBe(kind === "timeout");
    }
  });
});

describe("a class that an application derives", () => {
  class QuotaError extends PlantStoreApiError {
    readonly quota = 5;
  }
  const quota = new QuotaError({ message: "m", status: 429, code: 1, headers, body });
  test("is an instance of all that it derives from", () => {
    expect(quota).toBeInstanceOf(QuotaError);
    expect(quota).toBeInstanceOf(PlantStoreApiError);
    expect(quota).toBeInstanceOf(PlantStoreError);
    expect(quota.kind).toBe("api");
    expect(quota.quota).toBe(5);
  });
  test("may take a name of its own", () => {
    class NamedError extends PlantStoreTimeoutError {
      constructor() {
        super({ message: "m", timeoutMs: 5 });
        this.name = "NamedError";
      }
    }
    expect(`${new NamedError()}`).toBe("NamedError: m");
  });
  test("is none of what it derives from, the other way round", () => {
    const plain = new PlantStoreApiError({ message: "m", status: 400, code: 1, headers, body });
    expect(plain instanceof QuotaError).toBe(false);
    expect(new Error("x") instanceof QuotaError).toBe(false);
  });
});

test("the stack of an error leads to the line that created the plant", async () => {
  const { client } = setup([refused(400)]);
  async function theLineOfTheCaller() {
    await client.createPlant(PLANT);
  }
  const error = await errorOf(theLineOfTheCaller());
  expect(error.stack).toContain("theLineOfTheCaller");
});

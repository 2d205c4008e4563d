import {
  isPlantStoreError,
  PlantStoreAbortError,
  PlantStoreApiError,
  PlantStoreConfigError,
  PlantStoreConnectionError,
  PlantStoreError,
  PlantStoreInputError,
  PlantStoreInterruptedError,
  PlantStoreResponseError,
  PlantStoreTimeoutError,
  PlantStoreTokenError,
} from "plant-store-client";
import { describe, expect, test } from "vitest";
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
    new PlantStoreInputError({ message: "m", issues: [{ path: ["id"], rule: "required", message: "is required" }] }),
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
  ["interrupted", PlantStoreInterruptedError, new PlantStoreInterruptedError({ message: "m", outcome: "unknown" })],
] as const;

/** Applications commonly test for this name after an abort. */
const nameOf = ({ name }: { name: string }) => (name === "PlantStoreAbortError" ? "AbortError" : name);

test.each(ALL)(
  "the error of kind %s is recognized by kind, name and class, and by no other class",
  (kind, Class, error) => {
    const name = nameOf(Class);
    expect(error).toMatchObject({ kind, name });
    expect(`${error}`).toBe(`${name}: m`);
    expect(error.stack).toContain(`${name}: m`);
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(PlantStoreError);
    expect(isPlantStoreError(error)).toBe(true);
    expect(ALL.filter(([, Other]) => error instanceof Other).map(([other]) => other)).toEqual([kind]);
    expect(Object.keys(error)).not.toContain("name");
    const json = JSON.parse(JSON.stringify(error));
    const { outcome, retryable, attempts } = error;
    expect(json).toMatchObject({ name, message: "m", kind, outcome, retryable, attempts });
    expect(json).not.toHaveProperty("stack");
  },
);

test.each([{}, { outcome: undefined, retryable: undefined, attempts: undefined, cause: undefined }])(
  "what is not given, or undefined, is that nothing was sent: %o",
  (absent) => {
    const error = new PlantStoreConnectionError({ message: "m", ...absent });
    expect(error).toMatchObject({ outcome: "not-sent", retryable: false, attempts: [] });
    expect("cause" in error).toBe(false);
  },
);

test("toJSON has the fields of the class, the headers by name and the cause in short", () => {
  const cause = Object.assign(new TypeError("fetch failed"), { code: "ECONNRESET", secret: 1 });
  const fields = { status: 429, code: 17, body, retryAfterMs: 5000 };
  const policy = { outcome: "rejected", retryable: true, attempts } as const;
  const error = new PlantStoreApiError({ message: "no", ...fields, headers, cause, ...policy });
  expect(error.toJSON()).toEqual({
    ...{ name: "PlantStoreApiError", message: "no", kind: "api", headers: { "x-request-id": "r1" } },
    ...{ ...fields, ...policy, cause: { name: "TypeError", message: "fetch failed", code: "ECONNRESET" } },
  });
});

test.each<[cause: unknown, shown: unknown]>([
  [Object.assign(new Error("stopped"), { code: "E_LATE" }), { name: "Error", message: "stopped", code: "E_LATE" }],
  [Object.assign(new Error("stopped"), { code: 20 }), { name: "Error", message: "stopped", code: 20 }],
  [Object.assign(new Error("stopped"), { code: 1n }), { name: "Error", message: "stopped" }],
  [Object.assign(new Error("stopped"), { code: globalThis }), { name: "Error", message: "stopped" }],
  ["the user left", "the user left"],
  [1n, undefined],
  [globalThis, undefined],
  [Symbol("late"), undefined],
  [
    { error: "invalid_grant", at: [1, null] },
    { error: "invalid_grant", at: [1, null] },
  ],
])("JSON.stringify shows of a cause only what JSON can show: %#", (cause, shown) => {
  expect(JSON.parse(JSON.stringify(new PlantStoreAbortError({ message: "no", cause }))).cause).toEqual(shown);
});

test("other values are not errors of this library", () => {
  for (const value of [undefined, null, 7, "PlantStoreError", new Error("x"), {}, { kind: "api" }, () => 1, Symbol()]) {
    expect(isPlantStoreError(value)).toBe(false);
    expect(value instanceof PlantStoreError).toBe(false);
    expect(value instanceof PlantStoreApiError).toBe(false);
  }
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
});

test("an error has only the fields of its class, although its type lets others be read", () => {
  const error = new PlantStoreTimeoutError({ message: "m", timeoutMs: 5 });
  for (const name of ["status", "headers", "retryAfterMs", "issues"]) expect(name in error).toBe(false);
});

test("the stack of an error leads to the line that created the plant", async () => {
  const { client } = setup([refused(400)]);
  async function theLineOfTheCaller() {
    await client.createPlant(PLANT);
  }
  const error = await errorOf(theLineOfTheCaller());
  expect(error.stack).toContain("theLineOfTheCaller");
});

import { inspect } from "node:util";
import fc from "fast-check";
import { isPlantStoreError, PlantStoreClient, plantSchema } from "plant-store-client";
import { expect, test } from "vitest";
import { TestClock } from "../client/fixtures/test-clock.ts";
import { assertProperty, timeoutMs } from "./assert-property.ts";
import { scriptedFetch, scripts } from "./replies.ts";

// None of its letters is in our own messages, so that a match is certainly the token.
const tokens = fc.stringMatching(/^[ZQ0-9][ZQXJ0-9~/+._-]{19,60}=?$/);
const cases = tokens.chain((token) =>
  fc.tuple(fc.constant(token), fc.array(scripts(token), { minLength: 1, maxLength: 3 })),
);
const policies = fc.constantFrom("safe" as const, "idempotent" as const);

test("a create settles with a Plant or a PlantStoreError for any response, and shows no token", {
  timeout: timeoutMs,
}, async () => {
  const property = fc.asyncProperty(cases, policies, fc.boolean(), async ([token, all], retry, isProvided) => {
    const attempts: unknown[] = [];
    const clock = new TestClock();
    const client = new PlantStoreClient({
      baseUrl: "https://plants.test",
      token: isProvided ? async () => token : token,
      fetch: scriptedFetch(all),
      retry,
      maxRetries: 2,
      timeoutMs: 5_000,
      maxResponseBytes: 64,
      onAttempt: (attempt) => attempts.push(attempt),
      clock,
    });
    const result = await clock.until(client.tryCreatePlant({ id: 1, name: "x" }));
    expect(result.attempts).toEqual(attempts);
    expect(result.attempts.length).toBeGreaterThan(0);
    expect(result.attempts.length).toBeLessThanOrEqual(3);
    // A plant comes from the service, and is never changed.
    for (const value of [client, ...attempts, { ...result, plant: undefined }]) expectNoToken(value, token);
    if (result.ok) {
      expect(plantSchema["~standard"].validate(result.plant).issues).toBeUndefined();
      return;
    }
    const { error } = result;
    expect(isPlantStoreError(error)).toBe(true);
    expect(["api", "response", "connection", "timeout"]).toContain(error.kind);
    expect(["not-sent", "rejected", "unknown"]).toContain(error.outcome);
    expect(error.attempts).toBe(result.attempts);
  });
  await assertProperty(property, 100);
});

function expectNoToken(value: unknown, token: string): void {
  const texts = [
    inspect(value, { showHidden: true, depth: Number.POSITIVE_INFINITY, maxStringLength: null, maxArrayLength: null }),
    JSON.stringify(value) ?? "",
  ];
  const error = (value as { error?: Error }).error;
  if (error) texts.push(error.message, error.stack ?? "", inspect(structuredClone(error)), printed(error.cause));
  for (const text of texts) expect(text.replaceAll("\\", "")).not.toContain(token);
}

function printed(cause: unknown): string {
  try {
    return String(cause);
  } catch {
    return "what cannot be printed shows nothing";
  }
}

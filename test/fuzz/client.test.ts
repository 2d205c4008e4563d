import fc from "fast-check";
import { isPlantStoreError, PlantStoreClient, plantSchema } from "plant-store-client";
import { expect, test } from "vitest";
import { assertProperty, timeoutMs } from "./assert-property.ts";
import { scriptedFetch, scripts } from "./replies.ts";

const OUTCOMES = ["not-sent", "rejected", "unknown"];

test("a create settles with a Plant or a PlantStoreError for any response", { timeout: timeoutMs }, async () => {
  const policies = fc.constantFrom("safe" as const, "idempotent" as const);
  const property = fc.asyncProperty(
    fc.array(scripts(), { minLength: 1, maxLength: 3 }),
    policies,
    async (all, retry) => {
      const attempts: unknown[] = [];
      const client = new PlantStoreClient({
        baseUrl: "https://plants.test",
        token: "t",
        fetch: scriptedFetch(all),
        retry,
        timeoutMs: 20,
        maxResponseBytes: 64,
        onAttempt: (attempt) => attempts.push(attempt),
      });
      const result = await client.tryCreatePlant({ id: 1, name: "x" });
      expect(result.attempts).toEqual(attempts);
      expect(result.attempts.length).toBeGreaterThan(0);
      expect(result.attempts.length).toBeLessThanOrEqual(3);
      if (result.ok) {
        expect(plantSchema["~standard"].validate(result.plant).issues).toBeUndefined();
        return;
      }
      const { error } = result;
      expect(isPlantStoreError(error)).toBe(true);
      expect(["api", "response", "connection", "timeout"]).toContain(error.kind);
      expect(OUTCOMES).toContain(error.outcome);
      expect(error.attempts).toBe(result.attempts);
      expect(() => JSON.stringify(error)).not.toThrow();
    },
  );
  await assertProperty(property, 300);
});

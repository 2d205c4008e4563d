import { inspect } from "node:util";
import fc from "fast-check";
import { PlantStoreClient } from "plant-store-client";
import { expect, test } from "vitest";
import { assertProperty, timeoutMs } from "./assert-property.ts";
import { scriptedFetch, scripts } from "./replies.ts";

// None of its letters is in our own messages, so that a match is certainly the token.
const tokens = fc.stringMatching(/^[ZQ0-9][ZQXJ0-9~/+._-]{19,60}=?$/);

test("no error, and no printed client, contains a token", { timeout: timeoutMs }, async () => {
  const cases = tokens.chain((token) =>
    fc.tuple(fc.constant(token), fc.array(scripts(token), { minLength: 1, maxLength: 2 })),
  );
  const property = fc.asyncProperty(cases, fc.boolean(), async ([token, all], isProvided) => {
    const seen: unknown[] = [];
    const client = new PlantStoreClient({
      baseUrl: "https://plants.test",
      token: isProvided ? async () => token : token,
      fetch: scriptedFetch(all),
      timeoutMs: 20,
      maxResponseBytes: 64,
      maxRetries: 1,
      onAttempt: (attempt) => seen.push(attempt),
    });
    const result = await client.tryCreatePlant({ id: 1, name: "x" });
    // A plant comes from the service, and is never changed.
    seen.push(client, result.ok ? { ...result, plant: undefined } : result);
    for (const value of seen) expectNoToken(value, token);
  });
  await assertProperty(property, 200);
});

function expectNoToken(value: unknown, token: string): void {
  const texts = [
    inspect(value, { showHidden: true, depth: Number.POSITIVE_INFINITY, maxStringLength: null, maxArrayLength: null }),
    JSON.stringify(value) ?? "",
  ];
  const error = (value as { error?: Error }).error;
  if (error) texts.push(error.message, error.stack ?? "", inspect(structuredClone(error)), String(error.cause));
  for (const text of texts) expect(text.replaceAll("\\", "")).not.toContain(token);
}

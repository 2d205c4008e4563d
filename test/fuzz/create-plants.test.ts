import fc from "fast-check";
import { type CreatePlantsResult, createPlants } from "plant-store-client";
import { expect, test } from "vitest";
import { WATCHED } from "../../src/proof/dispatchers.ts";
import { numbered } from "../client/fixtures/creators.ts";
import { connectionRefused, connectionReset } from "../client/fixtures/network-errors.ts";
import { brokenOff, created, refused, reply } from "../client/fixtures/replies.ts";
import { never, setup } from "../client/fixtures/setup.ts";
import { assertProperty, timeoutMs } from "./assert-property.ts";

/** How a service treats one POST: whether it stores the plant, and its response. Of some, the client cannot know the first. */
const TREATMENTS = {
  created: [true, created],
  limited: [false, () => refused(429, { "retry-after": "2" })],
  "limited at once": [false, () => refused(429, { "retry-after": "0" })],
  "limited without Retry-After": [false, () => refused(429)],
  unavailable: [false, () => refused(503, { "retry-after": "1" })],
  rejected: [false, () => refused(400)],
  "no connection": [false, connectionRefused],
  reset: [true, connectionReset],
  "reset before it read": [false, connectionReset],
  failed: [true, () => refused(500)],
  gateway: [true, () => reply(503, "<html>", { "retry-after": "1" })],
  "broken off": [true, () => brokenOff(200, new Error("terminated"))],
  silent: [true, () => never<Response>()],
} as const;

type Treatment = keyof typeof TREATMENTS;
/** Those that do not count as a retry. */
const REFUSALS: readonly Treatment[] = ["limited", "limited at once", "limited without Retry-After", "unavailable"];

const runs = fc.record({
  treatments: fc.array(fc.constantFrom(...(Object.keys(TREATMENTS) as Treatment[])), { minLength: 1, maxLength: 12 }),
  count: fc.integer({ min: 1, max: 12 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
  maxRetries: fc.integer({ min: 0, max: 2 }),
  retry: fc.constantFrom("safe" as const, "idempotent" as const),
  leaveAfter: fc.option(fc.integer({ min: 1, max: 12 })),
  abortAfterMs: fc.option(fc.integer({ min: 0, max: 20_000 })),
});

test("each result of createPlants is true of what the service did", { timeout: timeoutMs }, async () => {
  const property = fc.asyncProperty(runs, async (run) => {
    const { treatments, count, concurrency, maxRetries, retry, leaveAfter, abortAfterMs } = run;
    const handled = new Map<number, Treatment[]>();
    let posts = 0;
    const fetch = async (_url: string, { body }: RequestInit) => {
      const { id } = JSON.parse(body as string);
      const treatment = treatments[posts++ % treatments.length] as Treatment;
      handled.set(id, [...(handled.get(id) ?? []), treatment]);
      const response = TREATMENTS[treatment][1]();
      if (response instanceof Error) throw response;
      return response;
    };
    const trusted = Object.assign(fetch, { [WATCHED]: true });
    const { client, clock } = setup([], { fetch: trusted, maxRetries, retry, timeoutMs: 5_000 });
    const controller = new AbortController();
    if (abortAfterMs !== null) clock.after(abortAfterMs, () => controller.abort("stop"));
    const results: CreatePlantsResult[] = [];
    const consume = async () => {
      const options = { concurrency, signal: controller.signal, maxWaitMs: 30_000 };
      for await (const result of createPlants(client, numbered(count), { ...options, clock })) {
        results.push(result);
        if (results.length === leaveAfter) return;
      }
    };
    await clock.until(consume().catch(() => {}));

    expect(new Set(results.map(({ index }) => index)).size).toBe(results.length);
    for (const result of results) {
      const seen = handled.get(result.index) ?? [];
      expect(result.attempts.map(({ number }) => number)).toEqual(seen.map((_, i) => i + 1));
      const isStored = seen.some((treatment) => TREATMENTS[treatment][0]);
      if (result.ok) expect(isStored).toBe(true);
      else if (result.error.outcome !== "unknown") expect(isStored).toBe(false);
    }
    for (const seen of handled.values()) {
      // Nothing is sent again that may be stored, and between two refusals nothing more often than allowed.
      if (retry === "safe") expect(seen.slice(0, -1).some((treatment) => TREATMENTS[treatment][0])).toBe(false);
      let sent = 0;
      for (const treatment of seen) {
        expect(++sent).toBeLessThanOrEqual(maxRetries + 1);
        if (REFUSALS.includes(treatment)) sent = 0;
      }
    }
  });
  await assertProperty(property, 100);
});

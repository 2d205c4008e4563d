import fc from "fast-check";
import type { CreatePlantsResult, JournalState, Outcome } from "plant-store-client";
import { expect, test } from "vitest";
import { type Answer, runAgainst, type Service } from "../client/fixtures/service.ts";
import { assertProperty, timeoutMs } from "./assert-property.ts";

const PLANTS = 40;
const SEVERITY: Record<Outcome, number> = { "not-sent": 0, rejected: 1, unknown: 2 };

/** What the client takes as not stored: a 4xx except 408, and 503 with Retry-After and the contract's Error. */
const isRefusing = ({ how, status = 0, retryAfter }: Answer) =>
  status === 503 ? how === "error" && retryAfter !== undefined : status >= 400 && status < 500 && status !== 408;
const status = fc.oneof(
  fc.constantFrom(400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504),
  fc.constantFrom(200, 204, 302, 307, 402, 405, 410, 413, 415, 418, 421, 499, 501, 599),
);
const answers: fc.Arbitrary<Answer> = fc
  .record<Answer>(
    {
      how: fc.constantFrom("error", "page", "cut", "reset", "refused", "hang"),
      status,
      retryAfter: fc.option(fc.constantFrom(0, 1, 2, 7, 60, 700), { nil: undefined, freq: 2 }),
      isStored: fc.boolean(),
      ms: fc.constantFrom(1, 50, 2_000, 29_000),
    },
    { requiredKeys: ["how", "status", "retryAfter", "isStored"] },
  )
  .map((answer) => {
    const hasStatus = answer.how === "error" || answer.how === "page" || answer.how === "cut";
    const isStored = answer.how !== "refused" && !(hasStatus && isRefusing(answer)) && answer.isStored === true;
    return {
      ...answer,
      status: answer.how === "cut" && answer.status === 204 ? 200 : (answer.status as number),
      isStored,
    };
  });

/** When an answer is given: to some plants, to some tries of each, or for some time; for good, if `until` is absent. */
const rules = fc.record({
  answer: answers,
  plants: fc.oneof(fc.constant(PLANTS), fc.integer({ min: 1, max: 6 })),
  every: fc.constantFrom(1, 2, 3, 10),
  tries: fc.constantFrom(1, 2, 4, Number.POSITIVE_INFINITY),
  from: fc.constantFrom(0, 100, 500, 5_000),
  lastsMs: fc.constantFrom(100, 3_000, 20_000, 100_000, 1_000_000, Number.POSITIVE_INFINITY),
  first: fc.nat(PLANTS),
});
type Rule = typeof rules extends fc.Arbitrary<infer Value> ? Value : never;

const concerns = ({ first, plants, every }: Rule, id: number) =>
  id >= first % PLANTS && id < (first % PLANTS) + plants && id % every === 0;

const isPassing = ({ tries, lastsMs }: Rule) => Math.min(tries, lastsMs) < Number.POSITIVE_INFINITY;

/** The answers of a service, which counts the tries of each plant. */
function serviceOf(list: readonly Rule[]): Service["answer"] {
  const tries = new Map<string, number>();
  return (id, at) => {
    for (const [index, rule] of list.entries()) {
      const key = `${index} ${id}`;
      const count = (tries.get(key) ?? 0) + 1;
      if (!concerns(rule, id) || at < rule.from || at >= rule.from + rule.lastsMs || count > rule.tries) continue;
      tries.set(key, count);
      return rule.answer;
    }
    return undefined;
  };
}

/** A journal in memory, which lasts over several runs. */
function memoryJournal() {
  const known = new Map<unknown, JournalState>();
  return {
    claim({ id }: { id: unknown }) {
      const state = known.get(id);
      if (state === undefined) known.set(id, "unknown");
      return state;
    },
    record({ id }: { id: unknown }, outcome: "created" | Outcome) {
      if (outcome === "created" || outcome === "unknown") known.set(id, outcome);
      else known.delete(id);
    },
  };
}

/** Whether an outcome is not better than the truth. */
const isTrue = (outcome: Outcome | undefined, isStored: boolean) =>
  outcome === undefined ? isStored : !isStored || outcome === "unknown";

function check({ results, list, thrown, stored }: Awaited<ReturnType<typeof runAgainst>>, safe: boolean) {
  expect(list.length).toBe(results.size);
  for (const [id, result] of results) checkResult(result, stored.get(id) ?? 0, safe);
  if (thrown === "nothing") return;
  const ofPlant = list.find(({ error }) => error === thrown);
  expect(ofPlant, "the last error is that of a plant").toBeDefined();
}

function checkResult({ ok, outcome, error, attempts }: CreatePlantsResult, stored: number, safe: boolean) {
  if (safe) expect(stored).toBeLessThanOrEqual(1);
  expect(isTrue(outcome, stored > 0)).toBe(true);
  if (ok) return;
  expect(error).toMatchObject({ outcome, attempts });
  expect(SEVERITY[outcome]).toBeDefined();
  expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, i) => i + 1));
}

const worlds = fc.record({
  list: fc.array(rules, { minLength: 1, maxLength: 4 }),
  retry: fc.constantFrom("safe" as const, "idempotent" as const),
  concurrency: fc.constantFrom(1, 2, 4, 16, 64),
  maxRetries: fc.constantFrom(undefined, 0, 1, 5),
  maxWaitMs: fc.constantFrom(undefined, undefined, 0, 5_000, 60_000),
  hasJournal: fc.boolean(),
});

test("createPlants tells the truth about a random service", { timeout: timeoutMs }, async () => {
  const property = fc.asyncProperty(worlds, async ({ list, retry, hasJournal, ...given }) => {
    const journal = hasJournal ? memoryJournal() : undefined;
    const options = { ...given, journal };
    const answer = serviceOf(list);
    const stored = new Map<number, number>();
    const world = { plants: PLANTS, answer, retry, options, stored };
    const first = await runAgainst(world);
    check(first, retry === "safe");
    if (first.thrown === "nothing") {
      expect(first.results.size).toBe(PLANTS);
      for (const { input, ok, attempts } of first.list) {
        // What certainly leaves no plant, and says nothing about it.
        const isWelcomeInTheEnd = list.every(
          (rule) => !concerns(rule, Number(input.id)) || (rule.answer.how === "refused" && isPassing(rule)),
        );
        if (isWelcomeInTheEnd && !ok) expect(attempts.length).toBeGreaterThan(given.maxRetries ?? 2);
      }
    }
    if (!journal || retry !== "safe") return;
    const second = await runAgainst(world);
    check(second, true);
  });
  await assertProperty(property, 60);
});

test("what every plant meets from the first one on costs few requests", { timeout: timeoutMs }, async () => {
  const property = fc.asyncProperty(answers, fc.constantFrom(1, 4, 16, 64), async (answer, concurrency) => {
    const isOfPlant = answer.how === "error" && [400, 409, 413, 415, 422].includes(answer.status as number);
    const isRefusal = answer.status === 429 || (answer.status === 503 && answer.how === "error");
    fc.pre(!isOfPlant && !(isRefusal && (answer.how === "error" || answer.how === "page" || answer.how === "cut")));
    fc.pre(answer.how !== "error" || answer.status !== 204);
    const { requests, thrown, list } = await runAgainst({
      plants: 500,
      answer: () => answer,
      options: { concurrency },
    });
    expect(requests).toBeLessThanOrEqual(25 + concurrency);
    expect(list.map(({ error }) => error)).toContain(thrown);
  });
  await assertProperty(property, 60);
});

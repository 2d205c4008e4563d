import {
  type AnyPlantStoreError,
  type Outcome,
  PlantStoreAbortError,
  PlantStoreApiError,
  PlantStoreConfigError,
  PlantStoreConnectionError,
  PlantStoreInputError,
  PlantStoreResponseError,
  PlantStoreTimeoutError,
  PlantStoreTokenError,
} from "plant-store-client";
import { describe, expect, test } from "vitest";
import { judge, type Verdict } from "../../src/create-plants/judgement.ts";
import { failedBy, success } from "./fixtures/creators.ts";
import { bucket, silent } from "./fixtures/limits.ts";
import { type Answer, runAgainst, type Service } from "./fixtures/service.ts";

const message = "m";
const headers = new Headers();
const withError = (status: number, outcome: Outcome = "rejected", retryAfterMs?: number) =>
  new PlantStoreApiError({
    ...{ message, status, outcome, headers, code: 1, body: { error: 1, message } },
    ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
  });
const page = (status: number, outcome: Outcome = "rejected", retryable = false) =>
  new PlantStoreResponseError({ message, status, outcome, retryable, headers, bodyText: "", reason: "status" });
const rows: [string, AnyPlantStoreError, Verdict["plant"], Verdict["pace"], isAborted?: boolean][] = [
  ...[400, 409, 413, 415, 422].flatMap((status): typeof rows => [
    [`${status} with the Error`, withError(status), "done", status === 409 ? "life" : "admitted"],
    [`${status} with a page`, page(status), "again", "trouble"],
  ]),
  ["429 with the Error", withError(429), "again", "refused"],
  ["429 with a page", page(429), "again", "refused"],
  ["503 with Retry-After and the Error", withError(503, "rejected", 5), "again", "refused"],
  ["503 with the Error", withError(503, "unknown"), "done", "trouble"],
  ...[402, 403, 404, 405, 410, 421, 426, 451, 499].flatMap((status): typeof rows => [
    [`${status} with the Error`, withError(status), "done", "no life"],
    [`${status} with a page`, page(status), "again", "trouble"],
  ]),
  ["401 with the Error", withError(401), "again", "trouble"],
  ["401 with a page", page(401), "again", "trouble"],
  ["408 with the Error", withError(408, "unknown"), "done", "trouble"],
  ["a refused connection", new PlantStoreConnectionError({ message }), "again", "trouble"],
  ["a reset connection", new PlantStoreConnectionError({ message, outcome: "unknown" }), "done", "trouble"],
  ["502, where a second request does no harm", page(502, "unknown", true), "again", "trouble"],
  ["a redirect", page(302, "unknown"), "done", "trouble"],
  ["a deadline", new PlantStoreTimeoutError({ message, timeoutMs: 1, outcome: "unknown" }), "done", "trouble"],
  ["a deadline before sending", new PlantStoreTimeoutError({ message, timeoutMs: 1 }), "again", "trouble"],
  ["a token provider that failed", new PlantStoreTokenError({ message, retryable: true }), "again", "trouble"],
  ["an invalid token", new PlantStoreTokenError({ message }), "done", "nothing"],
  ["an invalid option", new PlantStoreConfigError({ message, option: "token" }), "done", "nothing"],
  ["an invalid plant", new PlantStoreInputError({ message, issues: [] }), "done", "nothing"],
  ["an abort by the run", new PlantStoreAbortError({ message, outcome: "unknown" }), "done", "nothing", true],
  ["another abort", new PlantStoreAbortError({ message, outcome: "unknown" }), "done", "trouble"],
];

test.each(rows)("the judgement of %s", (_, error, plant, pace, isAborted = false) => {
  expect(judge(failedBy(error), isAborted)).toMatchObject({ plant, pace });
});

test("a created plant is done, and shows life; only a mistake of the caller ends the run", () => {
  expect(judge(success({ id: 1, name: "Fern" }), false)).toEqual({ plant: "done", pace: "life" });
  const mistakes = rows.filter(([, error]) => judge(failedBy(error), false).isMistake).map(([name]) => name);
  expect(mistakes).toEqual(["an invalid token", "an invalid option"]);
});

const CONCURRENCIES = [1, 4, 16, 64];
const STATUSES = [400, 401, 403, 404, 407, 413, 421, 451];
const ABOUT_THE_PLANT = [400, 409, 413, 415, 422];

/** A journal that knows some plants as created. */
const journalOf = (hits: number) => ({ claim: ({ id }: { id: unknown }) => created(Number(id) < hits), record() {} });
const created = (isHit: boolean) => (isHit ? ("created" as const) : undefined);

describe.each(CONCURRENCIES)("at most %i at once, what every plant meets from the first one on", (concurrency) => {
  const cost = (answer: Answer, hits: number | undefined) =>
    runAgainst({
      ...{ plants: 120, answer: () => answer },
      options: { concurrency, journal: hits === undefined ? undefined : journalOf(hits) },
    });

  test.each([undefined, 0])("costs few requests and at most a minute (hits of a journal: %s)", async (hits) => {
    for (const status of STATUSES) {
      for (const how of ["error", "page"] as const) {
        if (how === "error" && ABOUT_THE_PLANT.includes(status)) continue;
        const { thrown, requests, ms, list } = await cost({ how, status }, hits);
        expect(thrown, `${how} ${status}`).toMatchObject({ status, outcome: "rejected" });
        expect(requests).toBeLessThanOrEqual(25 + concurrency);
        expect(ms).toBeLessThanOrEqual(60_000);
        expect(list.map(({ outcome }) => outcome)).toEqual(list.map(() => "rejected"));
      }
    }
  });

  test("costs few requests of 401 or without life, after plants that a journal knows", async () => {
    for (const answer of [{ how: "page", status: 401 } as const, { how: "error", status: 403 } as const]) {
      const { thrown, requests, ms } = await cost(answer, 100);
      expect(thrown).toMatchObject({ status: answer.status });
      expect(requests).toBeLessThanOrEqual(25 + concurrency);
      expect(ms).toBeLessThanOrEqual(60_000);
    }
  });

  test("is sent for the whole input if the contract's Error says that it is about the plant", async () => {
    for (const status of ABOUT_THE_PLANT) {
      expect(await cost({ how: "error", status }, undefined)).toMatchObject({ requests: 120, thrown: "nothing" });
    }
  });
});

test.each([
  ["an outage with few unknown plants", { how: "page", status: 500 } as const, 120],
  ["a token that ended", { how: "error", status: 401 } as const, 0],
  ["a token that may not create", { how: "error", status: 403 } as const, 0],
])("invalid plants, which the service still refuses, hide nothing: %s ends the run", async (_, trouble, unknown) => {
  for (const [concurrency, from] of [
    [1, 250],
    [16, 250],
    [64, 250],
    [16, 0],
  ] as const) {
    const invalid: Answer = { how: "error", status: 400 };
    const answer: Service["answer"] = (id) => (id < from ? undefined : id % 5 === 2 ? invalid : trouble);
    const { thrown, requests, list } = await runAgainst({ plants: 1_000, answer, options: { concurrency } });
    expect(thrown).toMatchObject({ status: trouble.status });
    expect(requests).toBeLessThanOrEqual(from === 0 ? 25 + concurrency : 450 + concurrency);
    expect(list.filter(({ outcome }) => outcome === "unknown").length).toBeLessThanOrEqual(unknown);
  }
});

test.each<[string, Answer]>([
  ["502", { how: "page", status: 502 }],
  ["423 with the Error", { how: "error", status: 423 }],
  ["403 with a page", { how: "page", status: 403 }],
])(
  "a list whose plants the service has already, and refuses as invalid, is sent to its end: some with %s",
  async (_, other) => {
    const answer: Service["answer"] = (id) => (id % 50 === 7 ? other : { how: "error", status: 400 });
    const { list, thrown } = await runAgainst({ plants: 1_000, answer });
    expect({ results: list.length, thrown }).toEqual({ results: 1_000, thrown: "nothing" });
  },
);

test.each([0.1, 0.5])("a limit of %d per second fails no plant, however long it takes", async (perSecond) => {
  const limit = silent(bucket(perSecond, 1));
  const answer: Service["answer"] = (_, at) => (limit.refuse(at) ? { how: "error", status: 429 } : undefined);
  const { created, thrown } = await runAgainst({ plants: 100, answer, latencyMs: 0 });
  expect({ created, thrown }).toEqual({ created: 100, thrown: "nothing" });
});

/** How many plants are created, and after which time the last one is. */
const run = (answer: Service["answer"], concurrency: number) =>
  runAgainst({ plants: 500, answer, options: { concurrency } });
const blocked: Answer = { how: "page", status: 403 };

describe.each([1, 16, 64])("at most %i at once, what a plant meets alone", (concurrency) => {
  test.each<[string, number, (id: number) => boolean]>([
    ["two plants", 2, (id) => id === 3 || id === 4],
    ["the first five", 5, (id) => id < 5],
    ["five in a row", 5, (id) => id >= 250 && id < 255],
    ["the last two", 2, (id) => id > 497],
    ["every tenth plant", 50, (id) => id % 10 === 9],
  ])("is its result: %s that a gateway refuses", async (_, count, isBlocked) => {
    const plain = await run(() => undefined, concurrency);
    const { created, thrown, results, ms } = await run((id) => (isBlocked(id) ? blocked : undefined), concurrency);
    expect({ created, thrown }).toEqual({ created: 500 - count, thrown: "nothing" });
    for (const { error, attempts } of results.values()) if (error) expect(attempts.length).toBeGreaterThan(2);
    expect(ms).toBeLessThanOrEqual(count > 5 ? 2 * plain.ms : plain.ms + 20_000);
  });

  test.each<[string, number, number | undefined, (id: number) => boolean]>([
    ["one plant, with Retry-After", 1, 1, (id) => id === 3],
    ["one plant", 1, undefined, (id) => id === 3],
    ["every twentieth plant", 25, undefined, (id) => id % 20 === 7],
    ["the last plant", 1, undefined, (id) => id === 499],
    ["the last two plants", 2, undefined, (id) => id > 497],
  ])("holds up no other, and costs few requests: %s that is refused", async (_, count, retryAfter, isRefused) => {
    const refused: Answer = { how: "error", status: 429, retryAfter };
    const plain = await run(() => undefined, concurrency);
    const all = await run((id) => (isRefused(id) ? refused : undefined), concurrency);
    expect({ created: all.created, thrown: all.thrown }).toEqual({ created: 500 - count, thrown: "nothing" });
    expect(all.lastCreated).toBeLessThanOrEqual(1.5 * plain.ms + 60_000);
    expect(all.ms).toBeLessThanOrEqual(all.lastCreated + 660_000);
    expect(all.requests).toBeLessThanOrEqual(500 + 100 * count);
  });

  test("a token that is revoked in the middle costs a hundred plants", async () => {
    const { created, thrown, requests } = await run(
      (id) => (id >= 250 ? { how: "error", status: 403 } : undefined),
      concurrency,
    );
    expect({ created, thrown }).toEqual({ created: 250, thrown: expect.objectContaining({ status: 403 }) });
    expect(requests).toBeLessThanOrEqual(350 + concurrency);
  });

  test("a block of fewer is no outage", async () => {
    const answer: Service["answer"] = (id) => (id % 100 >= 50 ? { how: "error", status: 403 } : undefined);
    const { created, thrown, ms } = await run(answer, concurrency);
    expect({ created, thrown }).toEqual({ created: 250, thrown: "nothing" });
    expect(ms).toBeLessThan((500 * 50) / concurrency + 5_000);
  });
});

test("a plant that is refused for maxWaitMs, while many others are created, has its result before the run ends", async () => {
  const answer: Service["answer"] = (id) => (id === 3 ? { how: "error", status: 429 } : undefined);
  const { list, created } = await runAgainst({ plants: 1_200, answer, latencyMs: 1_000, options: { concurrency: 1 } });
  expect(created).toBe(1_199);
  expect(list.at(-1)?.ok).toBe(true);
});

test("a host that hangs costs seven timeouts", async () => {
  const { requests, ms, thrown } = await run(() => ({ how: "hang" }), 16);
  expect(thrown).toMatchObject({ kind: "timeout", outcome: "unknown" });
  expect(requests).toBeLessThanOrEqual(25);
  expect(ms).toBeLessThanOrEqual(220_000);
});

test("a plant's own Retry-After holds up no other, and is its result if it is too long", async () => {
  for (const [retryAfter, status] of [
    [5, undefined],
    [3_600, 403],
  ] as const) {
    const answer: Service["answer"] = (id, at) => (id === 3 && at < 4_000 ? { ...blocked, retryAfter } : undefined);
    const { results, thrown, ms } = await run(answer, 16);
    expect({ thrown, status: results.get(3)?.error?.status }).toEqual({ thrown: "nothing", status });
    expect(ms).toBeLessThan(7_000);
  }
});

import type { CreatePlantsPace } from "plant-store-client";
import { expect, test } from "vitest";
import { atOnce, bucket, fixedWindow, outage, silent } from "./fixtures/limits.ts";
import { type Scenario, type Simulated, seededRandom, simulate } from "./fixtures/simulation.ts";
import { costOfStrays, STRAYS } from "./fixtures/stray-refusals.ts";

/** Each scenario at several latencies, concurrencies and seeds: the worst of them counts. */
async function worst(scenario: () => Scenario, idealMs: (seen: Simulated) => number) {
  let refused = 0;
  let used = 1;
  for (const [concurrency, latencyMs] of [
    [16, 2],
    [16, 40],
    [64, 10],
  ]) {
    for (const seed of [1, 2]) {
      const given = scenario();
      const seen = await simulate({ ...given, concurrency, latencyMs, seed } as Scenario);
      if (given.untilMs === undefined) expect(seen.created).toBe(given.plants);
      expect(seen.early).toBe(0);
      refused = Math.max(refused, seen.refused / (seen.refused + seen.created));
      used = Math.min(used, idealMs(seen) / (given.untilMs ?? seen.endMs));
    }
  }
  return { refused, used };
}

const MINUTES = 60_000;

const ofBucket = ({ created }: Simulated) => ((created - 10) / 50) * 1000;
/** A run of this length, however many plants that takes. */
const during = (limit: Scenario["limit"], untilMs: number, more?: Partial<Scenario>): Scenario => ({
  ...{ limit, plants: Number.MAX_SAFE_INTEGER, untilMs, ...more },
});

/** What is simulated, how long it takes at best, and the largest share refused and least share used of six runs. */
type Row = [name: string, scenario: () => Scenario, idealMs: number | ((seen: Simulated) => number), number, number];

const changing = (now: number) => (now < 5_000 || now >= 15_000 ? 50 : 15);
const down = (retryAfterMs?: number) => outage(bucket(50, 10), 20_000, 80_000, retryAfterMs);
const afterOutage = ({ created }: Simulated) => 60_000 + (created / 50) * 1000;
const rows: Row[] = [
  ["a bucket of 50 per second", () => ({ limit: bucket(50, 10), plants: 2_500 }), 49_800, 0.02, 0.8],
  ["a window of 100 per 2 s", () => ({ limit: fixedWindow(100, 2_000), plants: 2_500 }), 48_000, 0.02, 0.8],
  ["a quota of 30 per 20 s", () => ({ limit: fixedWindow(30, 20_000), plants: 150 }), 80_000, 0.12, 1 / 1.1],
  ["a bucket that changes", () => ({ limit: bucket(changing, 10), plants: 600 }), 18_800, 0.03, 0.62],
  [
    "a bucket of 10 per second that becomes one of 100",
    () =>
      during(
        bucket((now) => (now < 60_000 ? 10 : 100), 10),
        180_000,
      ),
    ({ created }) => 60_000 + ((created - 600) / 100) * 1000,
    ...([0.004, 0.77] as const),
  ],
  [
    "a bucket of 10 per second that becomes one of 100 after a quarter of an hour",
    () =>
      during(
        bucket((now) => (now < 15 * MINUTES ? 10 : 100), 10),
        17 * MINUTES,
      ),
    ({ created }) => 15 * MINUTES + (created - 9_000) * 10,
    ...([0.01, 0.93] as const),
  ],
  ["a quota of 50 per 5 s", () => ({ limit: fixedWindow(50, 5_000), plants: 500 }), 45_000, 0.06, 0.8],
  ["a quota, timers late", () => ({ limit: fixedWindow(30, 20_000), plants: 150, lateMs: 50 }), 80_000, 0.12, 1 / 1.1],
  ["300 s of a bucket, timers late", () => during(bucket(50, 10), 300_000, { lateMs: 50 }), ofBucket, 0.003, 0.92],
  ["300 s of a window", () => during(fixedWindow(100, 2_000), 300_000), ({ created }) => created * 20, 0.003, 0.92],
  ["an hour of a bucket of 5", () => during(bucket(5, 2), 60 * MINUTES), ({ created }) => created * 200, 0.012, 0.95],
  ["8 at once, no Retry-After", () => ({ limit: atOnce(8), plants: 1_000, serviceMs: 200 }), 25_000, 0.02, 0.7],
  ["a bucket, no Retry-After", () => ({ limit: silent(bucket(50, 10)), plants: 2_500 }), 49_800, 0.1, 0.75],
  ["a bucket whose Retry-After is 0", () => ({ limit: silent(bucket(50, 10), 0), plants: 2_500 }), 49_800, 0.1, 0.9],
  ["an outage of a minute within three", () => during(down(1_000), 180_000), afterOutage, 0.01, 0.85],
  ["an outage of a minute, no Retry-After", () => during(down(), 180_000), afterOutage, 0.01, 0.85],
  [
    "four processes that share a bucket",
    () => during(bucket(50, 10), 300_000, { processes: 4 }),
    ofBucket,
    0.015,
    0.87,
  ],
];

test.each(rows)("in simulation, the worst of six runs: %s", async (_, scenario, idealMs, mostRefused, leastUsed) => {
  const { refused, used } = await worst(scenario, typeof idealMs === "number" ? () => idealMs : idealMs);
  expect(refused).toBeLessThanOrEqual(mostRefused);
  expect(used).toBeGreaterThanOrEqual(leastUsed);
});

test.each(STRAYS)(
  "%i refusals for another reason cost at most %d of a plain run and their pauses",
  async (count, atMost) => {
    for (const service of [
      { perSecond: 200, latencyMs: 10, retryAfterMs: 1_000 },
      { perSecond: 2_000, latencyMs: 80, retryAfterMs: undefined },
    ]) {
      expect(await costOfStrays(count, service, [1, 2, 3]), JSON.stringify(service)).toBeLessThanOrEqual(atMost);
    }
  },
);

test.each([0.05, 0.1, 0.3])("a service that refuses a share of %d at random does not stop the run", async (share) => {
  const random = seededRandom(5);
  const limit = { refuse: () => (random() < share ? { retryAfterMs: 1_000 } : undefined) };
  const { created, endMs } = await simulate({ limit, plants: 1_000 });
  expect(created).toBe(1_000);
  expect(endMs).toBeLessThan(60 * MINUTES);
});

test.each([undefined, 0])(
  "one refusal in a hundred, at random, costs less than half of the time (Retry-After: %s)",
  async (wait) => {
    const random = seededRandom(5);
    const limit = { refuse: () => (random() < 0.01 ? { retryAfterMs: wait } : undefined) };
    const { created, endMs } = await simulate({ limit, plants: 3_000 });
    expect(created).toBe(3_000);
    expect(endMs).toBeLessThan(2 * 3_000 * (10 / 16));
  },
);

test("a rate that is not used does not grow: a slow service that refused once is never sent a flood", async () => {
  let requests = 0;
  const limit = { refuse: () => (requests++ === 4 ? { retryAfterMs: 1_000 } : undefined) };
  const rates: number[] = [];
  const onPace = ({ ratePerSecond = 0 }: CreatePlantsPace) => rates.push(ratePerSecond);
  await simulate({ limit, plants: 6_000, concurrency: 1, latencyMs: 100, onPace });
  expect(Math.max(...rates)).toBeLessThan(20);
});

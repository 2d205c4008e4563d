import { expect, test } from "vitest";
import { Pacer } from "../../src/create-plants/pacer.ts";
import { atOnce, bucket, fixedWindow, outage, silent } from "./fixtures/limits.ts";
import { type Scenario, type Simulated, seededRandom, simulate } from "./fixtures/simulation.ts";
import { costOfStrays, SERVICES, STRAYS } from "./fixtures/stray-refusals.ts";

/** Each scenario at several latencies, concurrencies and seeds: the worst of them counts. */
function worst(scenario: () => Scenario, idealMs: (seen: Simulated) => number) {
  let refused = 0;
  let used = 1;
  for (const [concurrency, latencyMs] of [
    [16, 2],
    [16, 40],
    [64, 10],
  ]) {
    for (const seed of [1, 2, 3]) {
      const given = scenario();
      const seen = simulate({ ...given, concurrency, latencyMs, seed } as Scenario);
      if (given.untilMs === undefined) expect(seen.created).toBe(given.plants);
      expect(seen.early).toBe(0);
      refused = Math.max(refused, seen.refused / (seen.refused + seen.created));
      used = Math.min(used, idealMs(seen) / (given.untilMs ?? seen.endMs));
    }
  }
  return { refused, used };
}

const HOURS = 3_600_000;

const ofBucket = ({ created }: Simulated) => ((created - 10) / 50) * 1000;
/** A run of this length, however many plants that takes. */
const during = (limit: Scenario["limit"], untilMs: number, more?: Partial<Scenario>): Scenario => ({
  ...{ limit, plants: Number.MAX_SAFE_INTEGER, untilMs, ...more },
});

/** What is simulated, how long it takes at best, and the largest share refused and least share used of nine runs. */
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
    "a bucket of 10 per second that becomes one of 100 after 90 minutes",
    () =>
      during(
        bucket((now) => (now < 1.5 * HOURS ? 10 : 100), 10),
        1.5 * HOURS + 300_000,
      ),
    ({ created }) => 1.5 * HOURS + (created - 54_000) * 10,
    ...([0.01, 0.97] as const),
  ],
  ["a quota of 50 per 5 s", () => ({ limit: fixedWindow(50, 5_000), plants: 500 }), 45_000, 0.06, 0.8],
  ["a quota, timers late", () => ({ limit: fixedWindow(30, 20_000), plants: 150, lateMs: 50 }), 80_000, 0.12, 1 / 1.1],
  ["300 s of a bucket, timers late", () => during(bucket(50, 10), 300_000, { lateMs: 50 }), ofBucket, 0.003, 0.92],
  ["300 s of a window", () => during(fixedWindow(100, 2_000), 300_000), ({ created }) => created * 20, 0.003, 0.92],
  ["10 hours of a bucket of 5", () => during(bucket(5, 2), 10 * HOURS), ({ created }) => created * 200, 0.012, 0.95],
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
    0.92,
  ],
];

test.each(rows)("in simulation, the worst of nine runs: %s", (_, scenario, idealMs, mostRefused, leastUsed) => {
  const { refused, used } = worst(scenario, typeof idealMs === "number" ? () => idealMs : idealMs);
  expect(refused).toBeLessThanOrEqual(mostRefused);
  expect(used).toBeGreaterThanOrEqual(leastUsed);
});

test.each(STRAYS)("%i refusals for another reason cost at most %d of a plain run and their pauses", (count, atMost) => {
  for (const service of SERVICES) {
    expect(costOfStrays(count, service, [1, 2, 3, 4, 5]), JSON.stringify(service)).toBeLessThanOrEqual(atMost);
  }
});

test.each([0.05, 0.1, 0.3])("a service that refuses a share of %d at random does not stop the run", (share) => {
  const random = seededRandom(5);
  const limit = { refuse: () => (random() < share ? { retryAfterMs: 1_000 } : undefined) };
  const { created, endMs } = simulate({ limit, plants: 1_000 });
  expect(created).toBe(1_000);
  expect(endMs).toBeLessThan(HOURS);
});

test("a rate that is not used does not grow: a slow service that refused once is never sent a flood", () => {
  const pacer = limited();
  // One request after the other, at least 100 ms each, for an hour.
  for (let now = 10_000; now < HOURS; now += 100 + pacer.waitMs(now + 100)) {
    pacer.settled(pacer.started(now), now + 99, "life");
  }
  expect(pacer.ratePerSecond).toBeLessThan(20);
});

/** A refusal, as the pacer is told it. */
const refusal = (retryAfterMs?: number) => ["refused", retryAfterMs] as const;

/** A pacer of which the first four requests were admitted in 400 ms, until now. */
function admitted() {
  const pacer = new Pacer(16, () => 0.5);
  for (let i = 0; i < 4; i++) pacer.settled(pacer.started(-400), 0, "life");
  return pacer;
}

/** The same, and the fifth was refused with Retry-After. */
function limited() {
  const pacer = admitted();
  pacer.settled(pacer.started(1), 2, ...refusal(1_000));
  return pacer;
}

const rateOf = (pacer: Pacer) => pacer.ratePerSecond ?? Number.POSITIVE_INFINITY;

test.each([
  { late: 0.9, waits: [0.1, 1.1] },
  { late: 5, waits: [0, 1] },
])("a timer that is late by $late requests is made up for with at most one", ({ late, waits }) => {
  const pacer = limited();
  const intervalMs = 1000 / rateOf(pacer);
  const now = 2 + pacer.waitMs(2) + late * intervalMs;
  for (const wait of waits) {
    pacer.settled(pacer.started(now), now, "no life");
    expect(pacer.waitMs(now)).toBeCloseTo(wait * intervalMs, 6);
  }
});

test("requests that were on their way before a refusal, and were then not sent, take nothing from its pause", () => {
  const pacer = admitted();
  const refused = pacer.started(1);
  const held = [pacer.started(1), pacer.started(1)];
  pacer.settled(refused, 2, ...refusal(1_000));
  const waitMs = pacer.waitMs(2);
  for (const generation of held) pacer.settled(generation, 2, "nothing");
  expect(waitMs).toBeGreaterThan(1_000);
  expect(pacer.waitMs(2)).toBe(waitMs);
});

test("a refusal without Retry-After lowers the window if it was full, else the rate", () => {
  for (const [others, window, isLimited] of [
    [3, 3, false],
    [2, 4, true],
  ] as const) {
    const pacer = admitted();
    const refused = pacer.started(1);
    for (let i = 0; i < others; i++) pacer.started(1);
    pacer.settled(refused, 2, ...refusal());
    expect(pacer.window).toBe(window);
    expect(pacer.ratePerSecond !== undefined).toBe(isLimited);
    expect(pacer.pausedUntil).toBeLessThanOrEqual(2);
  }
});

test.each([
  [4, 16],
  [3, 11],
])(
  "a refusal beside %i later requests that are admitted leaves a window of %i: one at random is noise",
  (later, window) => {
    const pacer = new Pacer(16, () => 0.5);
    for (let i = 0; i < 100; i++) pacer.settled(pacer.started(i), i, "life");
    const starts = Array.from({ length: 16 }, () => pacer.started(100));
    pacer.settled(starts[0] as number, 110, ...refusal());
    for (const start of starts.slice(1, later + 1)) pacer.settled(start, 110, "life");
    expect(pacer.window).toBe(window);
    expect(pacer.pausedUntil).toBeLessThan(110);
  },
);

test("a second refusal among the requests in flight confirms the first", () => {
  const pacer = new Pacer(16, () => 0.5);
  for (let i = 0; i < 100; i++) pacer.settled(pacer.started(i), i, "life");
  const starts = Array.from({ length: 16 }, () => pacer.started(100));
  for (const start of starts.splice(0, 2)) pacer.settled(start, 110, ...refusal());
  for (const start of starts) pacer.settled(start, 110, "life");
  expect(pacer.window).toBeLessThan(16);
});

test("1 % of random refusals without a wait cost less than half of the time", () => {
  for (const retryAfterMs of [undefined, 0]) {
    const random = seededRandom(5);
    const limit = { refuse: () => (random() < 0.01 ? { retryAfterMs } : undefined) };
    const { created, endMs } = simulate({ limit, plants: 3_000 });
    expect(created).toBe(3_000);
    expect(endMs).toBeLessThan(2 * 3_000 * (10 / 16));
  }
});

test("nothing waits on a clock whose time is negative, as that of fake timers may be", () => {
  expect(new Pacer(4, () => 0).waitMs(-1_000_000)).toBe(0);
});

test("a refusal with Retry-After leaves 97 % of the rate if later requests of its flight are admitted, and the pause", () => {
  const pacer = new Pacer(16, () => 0.5);
  for (let i = 0; i < 100; i++) pacer.settled(pacer.started(i * 10), i * 10, "life");
  const [refused, ...later] = Array.from({ length: 16 }, () => pacer.started(1_000)) as [number, ...number[]];
  pacer.settled(refused, 1_000, ...refusal(1_000));
  const rates = later.map((start) => {
    pacer.settled(start, 1_001, "life");
    return rateOf(pacer);
  });
  expect(Math.max(...rates.slice(0, 3))).toBeLessThan(80);
  expect(Math.min(...rates.slice(3))).toBeCloseTo(97, 6);
  expect(pacer.pausedUntil).toBe(2_000);
});

test.each([
  [3, undefined],
  [4, expect.any(Number)],
])("after %i admitted requests, the first refusal sets the rate to %s", (count, rate) => {
  const pacer = new Pacer(16, () => 0.5);
  for (let i = 0; i < count; i++) pacer.settled(pacer.started(i), i, "life");
  pacer.settled(pacer.started(10), 20, ...refusal(1_000));
  expect(pacer.ratePerSecond).toEqual(rate);
  expect(pacer.waitMs(20)).toBeGreaterThanOrEqual(1_000);
});

test("an admitted request makes up for a fifth of a failure: with four between five failures there is an outage, not with six", () => {
  for (const [between, outagePauses] of [
    [4, 1],
    [6, 0],
  ] as const) {
    const pacer = new Pacer(16, () => 0.5);
    const settle = (answer: "life" | "trouble") => pacer.settled(pacer.started(0), 0, answer);
    for (let i = 0; i < 3; i++) settle("trouble");
    for (let i = 0; i < between; i++) settle("life");
    for (let i = 0; i < 2; i++) settle("trouble");
    expect(pacer.outagePauses).toBe(outagePauses);
  }
});

test.each([
  ["", false, [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]],
  [" whose probes leave plants unknown", true, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
] as const)("the pauses of an outage%s double up to a limit", (_, mayExist, pauses) => {
  const pacer = new Pacer(16, () => 0.5);
  for (let i = 0; i < 3; i++) pacer.settled(pacer.started(0), 0, "trouble", 0, mayExist);
  let now = 0;
  for (const pauseMs of pauses) {
    pacer.settled(pacer.started(now), now, "trouble", 0, mayExist);
    expect(pacer.pausedUntil - now).toBe(pauseMs);
    now = pacer.pausedUntil;
  }
});

import { PlantStoreClient } from "plant-store-client";
import { describe, expect, test, vi } from "vitest";
import { listen } from "../listen.ts";
import { connectionReset } from "./fixtures/network-errors.ts";
import { failure } from "./fixtures/outcome-of.ts";
import { created, refused } from "./fixtures/replies.ts";
import { PLANT, type Step, setup } from "./fixtures/setup.ts";
import { START } from "./fixtures/test-clock.ts";

const limited = () => refused(429);
const delays = async (steps: Step[], randoms: number[], maxRetries = steps.length - 1) => {
  const mocked = setup(steps, { maxRetries, timeoutMs: 1_000_000 });
  mocked.clock.randoms = randoms;
  const error = await failure(mocked);
  return error.attempts.map(({ delayMs }) => delayMs);
};
const many = (step: Step, count: number): Step[] => Array.from({ length: count }, () => step);

test("jitter is full, doubles from half a second, and stops at eight", async () => {
  expect(await delays(many(limited, 8), [0.999])).toEqual([499.5, 999, 1998, 3996, 7992, 7992, 7992, undefined]);
  expect(await delays(many(limited, 4), [0])).toEqual([0, 0, 0, undefined]);
  expect(await delays(many(limited, 4), [0.5, 0.25, 0])).toEqual([250, 250, 0, undefined]);
});

test("the first and the longest wait can be set, each by itself", async () => {
  const waits = async (backoff: { initialMs?: number; maxMs?: number }) => {
    const mocked = setup(many(limited, 5), { maxRetries: 4, timeoutMs: 1_000_000, backoff });
    mocked.clock.randoms = [0.999];
    return (await failure(mocked)).attempts.map(({ delayMs }) => delayMs);
  };
  expect(await waits({ initialMs: 1_000, maxMs: 3_000 })).toEqual([999, 1998, 2997, 2997, undefined]);
  expect(await waits({ initialMs: 10_000 })).toEqual([7992, 7992, 7992, 7992, undefined]);
  expect(await waits({ maxMs: 700 })).toEqual([499.5, 699.3, 699.3, 699.3, undefined]);
  expect(await waits({ initialMs: 0 })).toEqual([0, 0, 0, 0, undefined]);
});

const WEEKDAY = "Fri, 20 Nov 2026 12:00:05 GMT";
describe("Retry-After", () => {
  test.each([
    ["seconds", "3", 3000],
    ["zero", "0", 0],
    ["seconds with blanks around", " 4\t", 4000],
    ["the seconds of the service and of a gateway, of which the longer wait counts", "3, 5", 5000],
    ["sixty seconds, the most that is waited for", "60", 60_000],
    ["an IMF-fixdate", WEEKDAY, 5000],
    ["the date of RFC 850", "Friday, 20-Nov-26 12:00:05 GMT", 5000],
    ["the date of asctime", "Fri Nov 20 12:00:05 2026", 5000],
    ["the date of asctime with a day of one digit in the past", "Sun Nov  1 12:00:05 2026", 0],
    ["a date in the past", "Fri, 20 Nov 2026 11:59:59 GMT", 0],
    ["now", new Date(START).toUTCString(), 0],
  ])("in %s is a minimum, and jitter is added", async (_, value, retryAfterMs) => {
    const mocked = setup(
      many(() => refused(503, { "retry-after": value }), 2),
      { maxRetries: 1, timeoutMs: 200_000 },
    );
    const error = await failure(mocked);
    expect(error.attempts[0]?.delayMs).toBe(retryAfterMs + 250);
    expect(mocked.posts).toHaveLength(2);
    expect(error.outcome).toBe("rejected");
  });

  test("is read although the runtime's fetch keeps a blank at its end", async () => {
    await using server = await listen((_, response) => {
      response.writeHead(503, { "content-type": "application/json", "retry-after": "61 \t" });
      response.end('{"error":17,"message":"no"}');
    });
    const result = await new PlantStoreClient({ baseUrl: server.url, token: "t" }).tryCreatePlant(PLANT);
    expect(result).toMatchObject({ ok: false, error: { kind: "api", outcome: "rejected", retryAfterMs: 61_000 } });
  });

  test.each([
    ...["soon", "-1", "1.5", "1e3", "0x10", "5s", "", "5,", "5 5", "5, soon", "2026-11-20T12:00:05Z"],
    ...["Fri, 20 Nov 2026 12:00:05 PST", "20 Nov 2026 12:00:05 GMT", "Foo, 99 Bar 2026 12:00:05 GMT"],
    ...["Fri Nov 20 99:00:05 2026", "Fri Nov 20 12:00:05 2026 GMT", "(at) Fri, 20 Nov 2026 12:00:05 GMT"],
  ])("of %j is malformed and ignored", async (value) => {
    const mocked = setup([refused(503, { "retry-after": value })]);
    const error = await failure(mocked);
    expect(mocked.posts).toHaveLength(1);
    expect(error).toMatchObject({ kind: "api", outcome: "unknown" });
    expect(error).not.toHaveProperty("retryAfterMs");
  });

  test.each([
    ["Fri, 20 Nov 2026 11:00:00 GMT", "Fri, 20 Nov 2026 11:00:07 GMT", 7000],
    ["Friday, 20-Nov-26 13:00:00 GMT", WEEKDAY, 0],
    ["soon", WEEKDAY, 5000],
  ])("as a date counts from the Date of the response: %s, %s", async (date, value, retryAfterMs) => {
    expect(await failure(setup([refused(400, { date, "retry-after": value })]))).toMatchObject({ retryAfterMs });
  });

  test("in the date of asctime means GMT in every time zone", async () => {
    vi.stubEnv("TZ", "Asia/Tokyo");
    try {
      expect(await failure(setup([refused(400, { "retry-after": "Fri Nov 20 12:00:05 2026" })]))).toMatchObject({
        retryAfterMs: 5000,
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.each([
    ["61", 61_000],
    ["Fri, 20 Nov 2026 12:01:01 GMT", 61_000],
    ["Sat, 20 Nov 2027 12:00:00 GMT", 365 * 86_400_000],
  ])("of %j is longer than a minute: the call fails at once, and the error has it", async (value, retryAfterMs) => {
    for (const status of [429, 503]) {
      const mocked = setup([refused(status, { "retry-after": value })], { timeoutMs: 2_000_000_000 });
      const error = await failure(mocked);
      expect(mocked.clock.elapsedMs).toBe(0);
      expect(error).toMatchObject({ kind: "api", status, outcome: "rejected", retryAfterMs });
      expect(error.attempts).toHaveLength(1);
      expect(error.attempts[0]).not.toHaveProperty("delayMs");
    }
  });

  test("of any length is a finite number, and is on the error of a refusal that is not retried, too", async () => {
    const long = refused(503, { "retry-after": "9".repeat(400) });
    expect(await failure(setup([long]))).toMatchObject({ retryAfterMs: Number.MAX_SAFE_INTEGER });
    expect(await failure(setup([refused(400, { "retry-after": "9" })]))).toMatchObject({ retryAfterMs: 9000 });
  });
});

describe("a wait that is longer than the time left", () => {
  test("is compared with the time that is left", async () => {
    const mocked = setup([connectionReset(), connectionReset(), connectionReset()], {
      retry: "idempotent",
      timeoutMs: 740,
    });
    const error = await failure(mocked);
    expect(error.kind).toBe("connection");
    expect(error.attempts.map(({ delayMs }) => delayMs)).toEqual([250, undefined]);
  });
  test("is judged with its jitter", async () => {
    const steps = () => [refused(429, { "retry-after": "5" }), created()];
    for (const timeoutMs of [5249, 5250]) {
      expect((await failure(setup(steps(), { timeoutMs }))).kind).toBe("api");
    }
    const long = setup(steps(), { timeoutMs: 5251 });
    expect(await long.clock.until(long.client.createPlant(PLANT))).toEqual({ name: "Monstera", tag: "indoor" });
  });
});

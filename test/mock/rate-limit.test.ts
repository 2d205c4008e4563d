import { createMockPlantStore, faults, type RateLimit } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { fixedWindow, tokenBucket } from "../../mock/service/rate-limit.ts";
import { mustBe } from "../rules-in-words.ts";
import { post } from "./post.ts";

const PLANT = '{"id":1,"name":"Fern"}';

it.each([
  ["a bucket", tokenBucket(2, 3), [0, 0, 0, 0, 499, 500, 1_750, 1_750, 1_750], [0, 0, 0, 500, 1, 0, 0, 0, 250]],
  ["a bucket after a pause", tokenBucket(2, 3), [0, 0, 9_000, 9_000, 9_000, 9_000], [0, 0, 0, 0, 0, 500]],
  ["a slow bucket", tokenBucket(0.5, 1), [1_000, 1_000, 2_999, 3_000], [0, 2_000, 1, 0]],
  ["a window", fixedWindow(2, 1_000), [500, 500, 700, 1_499, 1_500, 2_400, 2_400, 2_500], [0, 0, 800, 1, 0, 0, 100, 0]],
])("%s admits requests at %o: %o", (_, limiter, arrivals, waits) => {
  expect(arrivals.map((nowMs) => limiter(nowMs))).toEqual(waits);
});

it("a limit begins anew if the clock goes back, as it does when a test replaces it", () => {
  for (const limiter of [tokenBucket(1, 1), fixedWindow(1, 1_000)]) {
    expect([limiter(1e9), limiter(1e9), limiter(0), limiter(0)]).toEqual([0, 1_000, 0, 1_000]);
  }
});

const refusal = (hint: string) => `{"error":42901,"message":"too many requests; try again ${hint}"}`;

it("rejects a request above the limit with 429, Retry-After and an Error body", async () => {
  const mock = createMockPlantStore({ rateLimit: { quota: 1, windowSeconds: 60 } });
  expect((await post(mock, PLANT)).status).toBe(200);
  expect(await post(mock, PLANT)).toEqual({
    status: 429,
    headers: { "content-type": "application/json", "retry-after": "60" },
    text: refusal("after 60 s"),
  });
  expect(mock.plants.size).toBe(1);
  expect(mock.requests.last).toMatchObject({ status: 429, provenance: "assumed", assumption: "rateLimited" });
});

it.each<[RateLimit, string | undefined, string]>([
  [{ perSecond: 0.5 }, "2", "after 2 s"],
  [{ perSecond: 0.5, retryAfter: 7 }, "7", "after 7 s"],
  [{ quota: 1, windowSeconds: 3, retryAfter: false }, undefined, "later"],
])("%j says when the next request may come", async (rateLimit, retryAfter, hint) => {
  const mock = createMockPlantStore({ rateLimit });
  await post(mock, PLANT);
  const { headers, text } = await post(mock, PLANT);
  expect([headers["retry-after"], text]).toEqual([retryAfter, refusal(hint)]);
});

it("admits as many at once as the rate has in a second, unless a burst is given", async () => {
  const statuses = async (rateLimit: RateLimit) => {
    const mock = createMockPlantStore({ rateLimit });
    const replies = await Promise.all(Array.from({ length: 4 }, () => post(mock, PLANT)));
    return replies.map(({ status }) => status);
  };
  expect(await statuses({ perSecond: 0.002 })).toEqual([200, 429, 429, 429]);
  expect(await statuses({ perSecond: 0.002, burst: 3 })).toEqual([200, 200, 200, 429]);
});

it("counts neither unmatched nor unauthorized requests", async () => {
  const asked: string[] = [];
  const tokens = (token: string) => asked.push(token) > 0 && token !== "bad";
  const mock = createMockPlantStore({ rateLimit: { quota: 1, windowSeconds: 60 }, auth: { tokens } });
  const bad = { headers: { Authorization: "Bearer bad", "Content-Type": "application/json" } };
  expect((await mock.fetch(`${mock.baseUrl}/other`)).status).toBe(404);
  expect((await post(mock, PLANT, bad)).status).toBe(401);
  expect((await post(mock, PLANT)).status).toBe(200);
  expect((await post(mock, PLANT, bad)).status).toBe(401);
  expect((await post(mock, PLANT)).status).toBe(429);
  expect(asked).toEqual(["bad", mock.token, "bad", mock.token]);
});

it("uses faults only on admitted requests", async () => {
  const mock = createMockPlantStore({ rateLimit: { quota: 1, windowSeconds: 60 } });
  await post(mock, PLANT);
  mock.inject(faults.apiError(1, "no"));
  expect((await post(mock, PLANT)).status).toBe(429);
  expect(() => mock.verify()).toThrow("the fault apiError #1 was never used");
});

it("applies to each session separately, and starts again on reset", async () => {
  const mock = createMockPlantStore({ rateLimit: { quota: 1, windowSeconds: 60 } });
  const session = mock.session();
  expect([(await post(mock, PLANT)).status, (await post(session, PLANT)).status]).toEqual([200, 200]);
  expect([(await post(mock, PLANT)).status, (await post(session, PLANT)).status]).toEqual([429, 429]);
  session.reset();
  expect([(await post(mock, PLANT)).status, (await post(session, PLANT)).status]).toEqual([429, 200]);
});

it.each<[unknown, string]>([
  [{}, "rateLimit: must be { perSecond, burst? } or { quota, windowSeconds }, each with retryAfter?; received none"],
  [{ quota: 1, windowSeconds: 1, burst: 1 }, "each with retryAfter?; received burst and quota and windowSeconds"],
  [
    { perSeconds: 1 },
    'unknown field "rateLimit.perSeconds"; known fields: perSecond, burst, quota, windowSeconds, retryAfter',
  ],
  [{ perSecond: 0 }, `rateLimit.perSecond: ${mustBe.aboveZero} 0`],
  [{ perSecond: 1, burst: 0 }, "rateLimit.burst: must be an integer from 1 to"],
  [{ quota: 1.5, windowSeconds: 1 }, "rateLimit.quota: must be an integer from 1 to"],
  [{ perSecond: 1, retryAfter: -1 }, "rateLimit.retryAfter: must be false, or an integer from 0 to 2147483647, not -1"],
  [null, `rateLimit ${mustBe.object} null`],
])("refuses %j", (rateLimit, message) => {
  expect(() => createMockPlantStore({ rateLimit: rateLimit as RateLimit })).toThrow(message);
});

it.each<RateLimit>([
  { quota: 1, windowSeconds: 1e300 },
  { perSecond: 1e-300, burst: 1 },
])("Retry-After of %j is a whole number without an exponent", async (rateLimit) => {
  const mock = createMockPlantStore({ rateLimit });
  await post(mock, PLANT);
  expect(await post(mock, PLANT)).toMatchObject({ status: 429, headers: { "retry-after": "2147483647" } });
});

// The limits of the service, and how many plants each strategy creates. `idealMs` is the time that a client
// that knows the limit takes.
export const SCENARIOS = {
  bucket: {
    title: "bucket: 50 per second, burst 10",
    plants: 2_500,
    limit: { kind: "bucket", burst: 10, rates: [{ perSecond: 50, forMs: Number.POSITIVE_INFINITY }] },
    idealMs: (2_490 / 50) * 1000,
  },
  window: {
    title: "window: 100 per 2 s",
    plants: 2_500,
    limit: { kind: "window", quota: 100, windowMs: 2_000 },
    idealMs: 24 * 2_000,
  },
  quota: {
    title: "quota: 30 per 20 s",
    plants: 150,
    limit: { kind: "window", quota: 30, windowMs: 20_000 },
    idealMs: 4 * 20_000,
  },
  concurrent: {
    title: "8 at once, without Retry-After",
    plants: 1_000,
    limit: { kind: "concurrent", max: 8 },
    workMs: 200,
    idealMs: (1_000 / 8) * 200,
  },
  changing: {
    title: "changing: 50, 15, 50 per second",
    plants: 600,
    limit: {
      kind: "bucket",
      burst: 10,
      rates: [
        { perSecond: 50, forMs: 5_000 },
        { perSecond: 15, forMs: 10_000 },
        { perSecond: 50, forMs: Number.POSITIVE_INFINITY },
      ],
    },
    // 260 in the first 5 s, 150 in the next 10, then 190.
    idealMs: 15_000 + (190 / 50) * 1000,
  },
};

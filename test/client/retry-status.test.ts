import { describe, expect, test } from "vitest";
import { failure } from "./fixtures/outcome-of.ts";
import { created, refused, reply } from "./fixtures/replies.ts";
import { PLANT, setup } from "./fixtures/setup.ts";

/** How many POSTs each policy makes, and the outcome, by status: every one except success. */
const STATUSES: [statuses: number[], safe: number, idempotent: number, outcome: "rejected" | "unknown"][] = [
  [[300, 301, 302, 303, 304, 307, 308], 1, 1, "unknown"],
  [[400, 401, 403, 404, 405, 409, 413, 422, 425, 499], 1, 1, "rejected"],
  [[429], 3, 3, "rejected"],
  [[408, 500, 502, 503, 504], 1, 3, "unknown"],
  [[501, 507, 599], 1, 1, "unknown"],
];

describe.each(["safe", "idempotent"] as const)("retry: %s", (retry) => {
  test.each(STATUSES)("statuses %j (safe %i, idempotent %i POSTs) are %s", async (statuses, safe, idem, outcome) => {
    for (const status of statuses) {
      const answer = () => (status === 304 ? reply(304) : refused(status));
      const mocked = setup([answer, answer, answer, answer], { retry });
      const error = await failure(mocked);
      const count = retry === "safe" ? safe : idem;
      expect(mocked.posts).toHaveLength(count);
      expect(error).toMatchObject({ kind: status === 304 ? "response" : "api", outcome, retryable: count > 1 });
      expect(error.attempts.map((attempt) => attempt.status)).toEqual(mocked.posts.map(() => status));
    }
  });

  test("503 with Retry-After and the contract's Error is the service's own word: it is sent again, and rejected in the end", async () => {
    const busy = () => refused(503, { "retry-after": "1" });
    const mocked = setup([busy, busy, busy], { retry });
    const error = await failure(mocked);
    expect(mocked.posts).toHaveLength(3);
    expect(error).toMatchObject({ kind: "api", outcome: "rejected", retryAfterMs: 1000 });
  });

  test("503 with Retry-After may be a gateway's, unless its body is the contract's Error: the plant may exist", async () => {
    const gateway = () => reply(503, "<title>503 Backend fetch failed</title>", { "retry-after": "5" });
    const mocked = setup([gateway, gateway, gateway], { retry });
    const error = await failure(mocked);
    expect(mocked.posts).toHaveLength(retry === "safe" ? 1 : 3);
    expect(error).toMatchObject({ kind: "response", outcome: "unknown", retryAfterMs: 5000 });
    if (retry === "idempotent") expect(error.attempts[0]?.delayMs).toBeGreaterThanOrEqual(5000);
  });

  test("503 with a malformed Retry-After is an ordinary 503", async () => {
    const busy = () => refused(503, { "retry-after": "soon" });
    const mocked = setup([busy, busy, busy], { retry });
    const error = await failure(mocked);
    expect(mocked.posts).toHaveLength(retry === "safe" ? 1 : 3);
    expect(error.outcome).toBe("unknown");
    expect(error).not.toHaveProperty("retryAfterMs");
  });

  test("a retry that succeeds resolves to the plant", async () => {
    const { client, clock, posts } = setup([refused(429), created()], { retry });
    const result = await clock.until(client.tryCreatePlant(PLANT));
    expect(result).toMatchObject({ ok: true, status: 200, plant: { name: "Monstera", tag: "indoor" } });
    expect(result.attempts).toMatchObject([
      { number: 1, status: 429, reason: "status" },
      { number: 2, status: 200, reason: "ok" },
    ]);
    expect(posts[1]?.body).toBe(posts[0]?.body);
  });
});

test("maxRetries counts the attempts after the first, and 0 means none", async () => {
  const limited = () => refused(429);
  const steps = Array.from({ length: 10 }, () => limited);
  for (const maxRetries of [0, 1, 5]) {
    const mocked = setup(steps, { maxRetries });
    await failure(mocked);
    expect(mocked.posts).toHaveLength(maxRetries + 1);
  }
});

test("the outcome of a call is the worst of its attempts", async () => {
  const mocked = setup([refused(500), refused(429), refused(400)], { retry: "idempotent" });
  const error = await failure(mocked);
  expect(error).toMatchObject({ kind: "api", status: 400, outcome: "unknown", body: { message: "no" } });
});

import { describe, expect, test } from "vitest";
import { failure } from "./fixtures/outcome-of.ts";
import { refused, reply } from "./fixtures/replies.ts";
import { setup } from "./fixtures/setup.ts";

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
});

test("the outcome of a call is the worst of its attempts", async () => {
  const mocked = setup([refused(500), refused(429), refused(400)], { retry: "idempotent" });
  const error = await failure(mocked);
  expect(error).toMatchObject({ kind: "api", status: 400, outcome: "unknown", body: { message: "no" } });
});

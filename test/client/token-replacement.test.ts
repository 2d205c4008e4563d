import type { TokenProvider } from "plant-store-client";
import { describe, expect, test } from "vitest";
import { failure } from "./fixtures/outcome-of.ts";
import { created, refused } from "./fixtures/replies.ts";
import { PLANT, setup } from "./fixtures/setup.ts";
import { flush } from "./fixtures/test-clock.ts";
import { bearers, heldProvider } from "./fixtures/token-providers.ts";

/** A provider that gives one token after the other, and records the rejected token that each of its calls names. */
function listedTokens(given: readonly string[]) {
  const rejected: (string | undefined)[] = [];
  const token: TokenProvider = async ({ rejectedToken }) => {
    rejected.push(rejectedToken);
    return given[rejected.length - 1] as string;
  };
  return { token, rejected };
}

const created200 = () => created();
const refused401 = () => refused(401);

/** A 401 that arrives when the test lets it. */
function slowRefusal() {
  let refuse = () => {};
  const slow = new Promise<Response>((resolve) => {
    refuse = () => resolve(refused(401));
  });
  return { slow, refuse };
}

/** A create whose 401 comes only when another one was refused and then created. Returns all Authorization headers. */
async function createOvertaken(token: TokenProvider) {
  const { slow, refuse } = slowRefusal();
  const { client, posts } = setup([() => slow, refused401, created200, created200], { token });
  const slowly = client.tryCreatePlant(PLANT);
  await flush();
  expect(await client.tryCreatePlant(PLANT)).toMatchObject({ ok: true });
  refuse();
  expect(await slowly).toMatchObject({ ok: true });
  return bearers(posts);
}

describe("after a 401", () => {
  test("the provider is asked once more, with the rejected token, and the POST is sent again", async () => {
    const contexts: (string | undefined)[] = [];
    const token: TokenProvider = ({ rejectedToken }) => {
      contexts.push(rejectedToken);
      return rejectedToken ? "new" : "old";
    };
    const { client, posts } = setup([refused401, created200], { token, maxRetries: 0 });
    const result = await client.tryCreatePlant(PLANT);
    expect(result).toMatchObject({ ok: true });
    expect(contexts).toEqual([undefined, "old"]);
    expect(bearers(posts)).toEqual(["Bearer old", "Bearer new"]);
    expect(result.attempts).toMatchObject([
      { number: 1, status: 401, reason: "status", delayMs: 0 },
      { number: 2, status: 200, reason: "ok" },
    ]);
  });

  test.each([
    ["of a provider", [() => "same"]],
    ["that is fixed", ["same"]],
  ] as const)("the POST is not sent again if the token, %s, did not change", async (_, [token]) => {
    const mocked = setup([refused401], { token });
    const error = await failure(mocked);
    expect(error).toMatchObject({ kind: "api", status: 401, outcome: "rejected", retryable: false });
    expect(error.attempts[0]).not.toHaveProperty("delayMs");
    expect(mocked.posts).toHaveLength(1);
  });

  test.each([
    ["a 403", () => refused(403)],
    ["a 500, after which the plant may exist,", () => refused(500)],
    ["a lost connection", () => Promise.reject(new TypeError("fetch failed"))],
  ])("%s asks for no other token: the POST is sent once", async (_, answer) => {
    let asked = 0;
    const mocked = setup([answer, created200], { token: () => `token-${asked++}` });
    await failure(mocked);
    expect(asked).toBe(1);
    expect(mocked.posts).toHaveLength(1);
  });

  test("a second 401 ends the call", async () => {
    let asked = 0;
    const mocked = setup([refused401, refused401], { token: () => `token-${asked++}`, maxRetries: 5 });
    expect(await failure(mocked)).toMatchObject({ kind: "api", status: 401, outcome: "rejected" });
    expect(asked).toBe(2);
    expect(mocked.posts).toHaveLength(2);
  });

  test("the new token does not use up a retry", async () => {
    let asked = 0;
    const mocked = setup([refused401, () => refused(429), () => refused(429), () => refused(429)], {
      token: () => `token-${asked++}`,
      maxRetries: 2,
    });
    const error = await failure(mocked);
    expect(mocked.posts).toHaveLength(4);
    expect(error.attempts.map(({ delayMs }) => delayMs)).toEqual([0, 250, 500, undefined]);
    expect(asked).toBe(2);
  });

  test.each([
    ["a new one, with which each is sent again", "new", 4, { ok: true }],
    ["the rejected one, with which none is sent again", "old", 2, { error: { status: 401, outcome: "rejected" } }],
  ])("calls that got the same token share one request for another: %s", async (_, answer, count, result) => {
    const { token, calls, call, give } = heldProvider();
    const { client, posts } = setup([refused401, refused401, created200, created200], { token });
    const results = [client.tryCreatePlant(PLANT), client.tryCreatePlant(PLANT)];
    await give(0, "old");
    expect(call(1).context.rejectedToken).toBe("old");
    await give(1, answer);
    expect(await Promise.all(results)).toMatchObject([result, result]);
    expect(bearers(posts)).toEqual(["old", "old", answer, answer].slice(0, count).map((value) => `Bearer ${value}`));
    expect(calls).toHaveLength(2);
  });

  test.each([
    ["later", async () => "old"],
    ["at once", () => "old"],
  ])("the provider, which gave the old token %s, is not asked if a newer one is known already", async (_, first) => {
    const rejected: (string | undefined)[] = [];
    const token: TokenProvider = ({ rejectedToken }) => {
      rejected.push(rejectedToken);
      return rejectedToken === undefined ? first() : Promise.resolve("new");
    };
    expect(await createOvertaken(token)).toEqual(["Bearer old", "Bearer old", "Bearer new", "Bearer new"]);
    expect(rejected).toEqual([undefined, undefined, "old"]);
  });

  test("a new create joins the call for the new token rather than an older call without one", async () => {
    const { token, calls, give } = heldProvider();
    const { slow, refuse } = slowRefusal();
    const { client, posts } = setup([() => slow, created200, created200, created200], { token });
    const first = client.tryCreatePlant(PLANT);
    await give(0, "old");
    const second = client.tryCreatePlant(PLANT);
    refuse();
    await flush();
    const third = client.tryCreatePlant(PLANT);
    await give(2, "new");
    expect(await Promise.all([first, third])).toMatchObject([{ ok: true }, { ok: true }]);
    await give(1, "newer");
    expect(await second).toMatchObject({ ok: true });
    expect(calls).toHaveLength(3);
    expect(bearers(posts)).toEqual(["Bearer old", "Bearer new", "Bearer new", "Bearer newer"]);
  });

  test("a create that leaves its own call of the provider leaves that for the new token alone", async () => {
    const { token, calls, give } = heldProvider();
    const { slow, refuse } = slowRefusal();
    const { client } = setup([() => slow, created200, created200], { token });
    const stayer = client.tryCreatePlant(PLANT);
    await give(0, "old");
    const controller = new AbortController();
    const leaver = client.tryCreatePlant(PLANT, { signal: controller.signal });
    await flush();
    refuse();
    await flush();
    expect(calls.map(({ context }) => context.rejectedToken)).toEqual([undefined, undefined, "old"]);
    controller.abort();
    expect(await leaver).toMatchObject({ ok: false, error: { kind: "aborted", outcome: "not-sent" } });
    const joiner = client.tryCreatePlant(PLANT);
    await flush();
    expect(calls.map(({ context }) => context.signal.aborted)).toEqual([false, true, false]);
    await give(2, "new");
    expect(await Promise.all([stayer, joiner])).toMatchObject([{ ok: true }, { ok: true }]);
  });

  test("the provider is asked again if it gives the rejected token after the new one", async () => {
    const { token, rejected } = listedTokens(["old", "new", "old", "newer"]);
    const { client, posts } = setup([refused401, created200, refused401, created200], { token });
    await client.createPlant(PLANT);
    await client.createPlant(PLANT);
    expect(rejected).toEqual([undefined, "old", undefined, "old"]);
    expect(bearers(posts)).toEqual(["Bearer old", "Bearer new", "Bearer old", "Bearer newer"]);
  });

  test("a create that begins in the meantime does not hide the new token from one whose 401 comes late", async () => {
    const { token, rejected } = listedTokens(["old", "old", "new", "new"]);
    const { slow, refuse } = slowRefusal();
    const { client, posts } = setup([() => slow, refused401, created200, created200, created200], { token });
    const slowly = client.tryCreatePlant(PLANT);
    await flush();
    await client.createPlant(PLANT);
    await client.createPlant(PLANT);
    refuse();
    expect(await slowly).toMatchObject({ ok: true });
    expect(rejected).toEqual([undefined, undefined, "old", undefined]);
    expect(bearers(posts)).toEqual(["Bearer old", "Bearer old", "Bearer new", "Bearer new", "Bearer new"]);
  });

  test("a rejected token that the provider gives again is not the new one of another create", async () => {
    const { token, rejected } = listedTokens(["old", "old", "new"]);
    const { slow, refuse } = slowRefusal();
    const { client, posts } = setup([() => slow, refused401, created200], { token });
    const slowly = client.tryCreatePlant(PLANT);
    expect(await client.tryCreatePlant(PLANT)).toMatchObject({ ok: false, error: { status: 401 } });
    refuse();
    expect(await slowly).toMatchObject({ ok: true });
    expect(rejected).toEqual([undefined, "old", "old"]);
    expect(bearers(posts)).toEqual(["Bearer old", "Bearer old", "Bearer new"]);
  });

  test("a create does not take over the new token of another user", async () => {
    const { token, rejected } = listedTokens(["anna", "ben", "ben-2", "anna-2"]);
    expect(await createOvertaken(token)).toEqual(["Bearer anna", "Bearer ben", "Bearer ben-2", "Bearer anna-2"]);
    expect(rejected).toEqual([undefined, undefined, "ben", "anna"]);
  });

  test("a new token that comes after a create has left does not replace a newer one", async () => {
    const { token, calls, give } = heldProvider();
    const refusals: ((response: Response) => void)[] = [];
    const held = () => new Promise<Response>((resolve) => refusals.push(resolve));
    const { client, posts } = setup([held, held, held, created200, created200], { token });
    const controller = new AbortController();
    const leaver = client.tryCreatePlant(PLANT, { signal: controller.signal });
    const second = client.tryCreatePlant(PLANT);
    const third = client.tryCreatePlant(PLANT);
    await give(0, "old");
    refusals[0]?.(refused(401));
    await flush();
    controller.abort();
    await leaver;
    refusals[1]?.(refused(401));
    await give(2, "newest");
    expect(await second).toMatchObject({ ok: true });
    await give(1, "late");
    refusals[2]?.(refused(401));
    expect(await third).toMatchObject({ ok: true });
    expect(calls).toHaveLength(3);
    expect(bearers(posts).slice(3)).toEqual(["Bearer newest", "Bearer newest"]);
  });
});

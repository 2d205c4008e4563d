import { type PlantCreator, PlantStoreTokenError, type TokenProvider } from "plant-store-client";
import { describe, expect, test } from "vitest";
import { errorOf, failure } from "./fixtures/outcome-of.ts";
import { created, refused } from "./fixtures/replies.ts";
import { never, PLANT, setup, URL_OF_PLANTS } from "./fixtures/setup.ts";
import { flush } from "./fixtures/test-clock.ts";

type Context = Parameters<TokenProvider>[0];

/** A provider whose every call is answered by the test. */
function heldProvider() {
  const calls: { context: Context; give: (token: string) => void; fail: (error: unknown) => void }[] = [];
  const token: TokenProvider = (context) =>
    new Promise((resolve, reject) => {
      calls.push({ context, give: resolve, fail: reject });
    });
  const call = (index: number) => {
    const found = calls[index];
    if (!found) throw new Error(`The provider was not called ${index + 1} times`);
    return found;
  };
  const give = async (index: number, value: string) => {
    await flush();
    call(index).give(value);
    await flush();
  };
  return { token, calls, call, give };
}

/** A provider that gives one token after the other, and records the rejected token that each of its calls names. */
function listedTokens(given: readonly string[]) {
  const rejected: (string | undefined)[] = [];
  const token: TokenProvider = async ({ rejectedToken }) => {
    rejected.push(rejectedToken);
    return given[rejected.length - 1] as string;
  };
  return { token, rejected };
}

const bearers = (posts: { headers: Headers }[]) => posts.map(({ headers }) => headers.get("authorization"));
const created200 = () => created();
const refused401 = () => refused(401);

/** A create that is aborted while it waits for its token. */
async function createAndLeave(client: PlantCreator): Promise<void> {
  const controller = new AbortController();
  const leaver = client.tryCreatePlant(PLANT, { signal: controller.signal });
  await flush();
  controller.abort();
  await leaver;
}

/** A 401 that arrives when the test lets it. */
function slowRefusal() {
  let refuse = () => {};
  const slow = new Promise<Response>((resolve) => {
    refuse = () => resolve(refused(401));
  });
  return { slow, refuse };
}

test("a string is sent as a bearer token", async () => {
  const { client, posts } = setup([created()], { token: "fixed" });
  await client.createPlant(PLANT);
  expect(bearers(posts)).toEqual(["Bearer fixed"]);
});

test.each([
  ["at once", () => "fresh"],
  ["later", async () => "fresh"],
])("a provider that gives a token %s is asked once for each create, and nothing is cached", async (_, token) => {
  let asked = 0;
  const contexts: Context[] = [];
  const { client, posts } = setup([created(), created()], {
    token: (context) => {
      asked++;
      contexts.push(context);
      return token();
    },
  });
  await client.createPlant(PLANT);
  await client.createPlant(PLANT);
  expect(asked).toBe(2);
  expect(bearers(posts)).toEqual(["Bearer fresh", "Bearer fresh"]);
  expect(contexts.map((context) => Object.keys(context))).toEqual([["signal"], ["signal"]]);
  expect(contexts[0]?.signal.aborted).toBe(false);
});

describe("calls that wait at the same time", () => {
  test("share one call of the provider", async () => {
    const { token, calls, give } = heldProvider();
    const { client, posts } = setup([created200, created200, created200], { token });
    const plants = [client.createPlant(PLANT), client.createPlant(PLANT), client.createPlant(PLANT)];
    await flush();
    expect(calls).toHaveLength(1);
    await give(0, "shared");
    await Promise.all(plants);
    expect(bearers(posts)).toEqual(["Bearer shared", "Bearer shared", "Bearer shared"]);
    expect(calls).toHaveLength(1);
  });

  test("are not broken by the abort of one of them, not even of the first", async () => {
    const { token, calls, call, give } = heldProvider();
    const { client } = setup([created200, created200], { token });
    const controller = new AbortController();
    const leaver = client.tryCreatePlant(PLANT, { signal: controller.signal });
    const stayer = client.tryCreatePlant(PLANT);
    await flush();
    controller.abort("bye");
    expect(await leaver).toMatchObject({ ok: false, error: { kind: "aborted", outcome: "not-sent" } });
    expect(call(0).context.signal.aborted).toBe(false);
    await give(0, "shared");
    expect(await stayer).toMatchObject({ ok: true });
    expect(calls).toHaveLength(1);
  });

  test("do not abort the signal of the provider once they have its token", async () => {
    const { token, call, give } = heldProvider();
    const { client } = setup([() => never()], { token });
    const controller = new AbortController();
    const result = client.tryCreatePlant(PLANT, { signal: controller.signal });
    await give(0, "shared");
    controller.abort("bye");
    expect(await result).toMatchObject({ ok: false, error: { kind: "aborted", outcome: "unknown" } });
    expect(call(0).context.signal.aborted).toBe(false);
  });

  test("each wait under their own deadline", async () => {
    const { token, call, give } = heldProvider();
    const { client, clock } = setup([created200], { token });
    const short = client.tryCreatePlant(PLANT, { timeoutMs: 10 });
    const long = client.tryCreatePlant(PLANT, { timeoutMs: 1000 });
    await clock.advance(10);
    expect(await short).toMatchObject({ ok: false, error: { kind: "timeout", outcome: "not-sent", timeoutMs: 10 } });
    expect(call(0).context.signal.aborted).toBe(false);
    await give(0, "shared");
    expect(await long).toMatchObject({ ok: true });
  });

  test("abort the provider's call when all of them have left, and the next one asks anew", async () => {
    const { token, calls, call, give } = heldProvider();
    const { client, posts, clock } = setup([created200], { token });
    const controller = new AbortController();
    const first = client.tryCreatePlant(PLANT, { signal: controller.signal });
    const second = client.tryCreatePlant(PLANT, { timeoutMs: 10 });
    await flush();
    controller.abort();
    await first;
    expect(call(0).context.signal.aborted).toBe(false);
    await clock.advance(10);
    await second;
    expect(call(0).context.signal.aborted).toBe(true);

    const third = client.tryCreatePlant(PLANT);
    await flush();
    expect(calls).toHaveLength(2);
    expect(call(1).context.signal.aborted).toBe(false);
    await give(0, "too-late");
    await give(1, "in-time");
    expect(await third).toMatchObject({ ok: true });
    expect(bearers(posts)).toEqual(["Bearer in-time"]);
  });

  test("fail together, each with an error of its own", async () => {
    const { token, call } = heldProvider();
    const { client } = setup([], { token });
    const failures = [errorOf(client.createPlant(PLANT)), errorOf(client.createPlant(PLANT))];
    await flush();
    call(0).fail(new Error("the vault is sealed"));
    const [first, second] = await Promise.all(failures);
    expect(first).not.toBe(second);
    expect(first).toMatchObject({ kind: "token", outcome: "not-sent" });
    expect(second?.message).toBe(first?.message);
  });

  test("a late result of an abandoned call does not replace a newer token", async () => {
    const { token, calls, call, give } = heldProvider();
    const { client, posts } = setup([refused401, created200], { token });
    await createAndLeave(client);
    const stayer = client.tryCreatePlant(PLANT);
    await flush();
    call(1).give("second");
    call(0).give("stale");
    await flush();
    expect(calls).toHaveLength(3);
    expect(call(2).context.rejectedToken).toBe("second");
    await give(2, "third");
    expect(await stayer).toMatchObject({ ok: true });
    expect(bearers(posts)).toEqual(["Bearer second", "Bearer third"]);
  });

  test("a late result of an abandoned call leaves the next call shared", async () => {
    const { token, calls, give } = heldProvider();
    const { client } = setup([created200, created200], { token });
    await createAndLeave(client);
    const second = client.tryCreatePlant(PLANT);
    await give(0, "stale");
    const third = client.tryCreatePlant(PLANT);
    await flush();
    expect(calls).toHaveLength(2);
    await give(1, "shared");
    expect(await Promise.all([second, third])).toMatchObject([{ ok: true }, { ok: true }]);
  });

  test("a rejection of an abandoned call is not unhandled", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    const { token, call } = heldProvider();
    const { client } = setup([], { token });
    await createAndLeave(client);
    call(0).fail(new Error("aborted"));
    await flush();
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

describe("a token that the provider returns at once", () => {
  test("is never used for another call", async () => {
    let user = "";
    const { client, posts } = setup([created200, created200], { token: () => `token-of-${user}` });
    const creates = ["ann", "bob"].map((name) => {
      user = name;
      return client.createPlant(PLANT);
    });
    await Promise.all(creates);
    expect(bearers(posts)).toEqual(["Bearer token-of-ann", "Bearer token-of-bob"]);
  });

  test("is not used for another call after a 401, either", async () => {
    const rejected: (string | undefined)[] = [];
    let user = "ann";
    const token: TokenProvider = ({ rejectedToken }) => {
      rejected.push(rejectedToken);
      return rejectedToken ? `new-${user}` : user;
    };
    const { client, posts } = setup([refused401, refused401, created200, created200], { token });
    const first = client.createPlant(PLANT);
    user = "bob";
    await Promise.all([first, client.createPlant(PLANT)]);
    expect(rejected).toEqual([undefined, undefined, "ann", "bob"]);
    expect(bearers(posts).slice(0, 2)).toEqual(["Bearer ann", "Bearer bob"]);
  });

  test("if the provider throws, fails this call alone", async () => {
    let asked = 0;
    const token = () => {
      if (asked++ === 0) throw new Error("nobody is logged in");
      return "late";
    };
    const { client, posts } = setup([created200], { token });
    const [first, second] = await Promise.all([client.tryCreatePlant(PLANT), client.tryCreatePlant(PLANT)]);
    expect(first).toMatchObject({ ok: false, error: { kind: "token", outcome: "not-sent" } });
    expect(second).toMatchObject({ ok: true });
    expect(bearers(posts)).toEqual(["Bearer late"]);
  });
});

test("after a 401 a call does not take over a token that replaced another one", async () => {
  const { token, calls, give } = heldProvider();
  const { slow, refuse } = slowRefusal();
  const { client, posts } = setup([() => slow, refused401, created200, created200], { token });
  const bob = client.tryCreatePlant(PLANT);
  await give(0, "bob");
  const ann = client.tryCreatePlant(PLANT);
  await give(1, "ann");
  await give(2, "new-ann");
  expect(await ann).toMatchObject({ ok: true });
  refuse();
  await flush();
  expect(calls.map(({ context }) => context.rejectedToken)).toEqual([undefined, undefined, "ann", "bob"]);
  await give(3, "new-bob");
  expect(await bob).toMatchObject({ ok: true });
  expect(bearers(posts)).toEqual(["Bearer bob", "Bearer ann", "Bearer new-ann", "Bearer new-bob"]);
});

test("a failure of the provider does not show the token that it issued last", async () => {
  let asked = 0;
  const token: TokenProvider = async () => {
    if (asked++ === 0) return "issued-0123456789-abcdef";
    throw new Error("cannot refresh issued-0123456789-abcdef");
  };
  const mocked = setup([created200], { token });
  await mocked.client.createPlant(PLANT);
  const error = await failure(mocked);
  expect(error.message).toContain("cannot refresh [redacted]");
  expect(`${(error.cause as Error).message}${(error.cause as Error).stack}`).not.toContain("issued-0123456789");
});

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

  test("the POST is not sent again if the token did not change", async () => {
    let asked = 0;
    const mocked = setup([refused401], {
      token: () => {
        asked++;
        return "same";
      },
    });
    const error = await failure(mocked);
    expect(error).toMatchObject({ kind: "api", status: 401, outcome: "rejected" });
    expect(asked).toBe(2);
    expect(mocked.posts).toHaveLength(1);
    expect(error.attempts[0]).not.toHaveProperty("delayMs");
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

  test("a retry that meets a 401 asks for a new token as well", async () => {
    let asked = 0;
    const { client, posts, clock } = setup([() => refused(429), refused401, created200], {
      token: () => `token-${asked++}`,
    });
    expect(await clock.until(client.tryCreatePlant(PLANT))).toMatchObject({ ok: true });
    expect(bearers(posts)).toEqual(["Bearer token-0", "Bearer token-0", "Bearer token-1"]);
  });

  test("a fixed token is not tried again", async () => {
    const mocked = setup([refused401], { token: "fixed" });
    expect(await failure(mocked)).toMatchObject({ kind: "api", status: 401, outcome: "rejected" });
  });

  test("calls that got the same token share one call for the new one", async () => {
    const { token, calls, call, give } = heldProvider();
    const { client, posts } = setup([refused401, refused401, created200, created200], { token });
    const results = [client.tryCreatePlant(PLANT), client.tryCreatePlant(PLANT)];
    await give(0, "old");
    expect(calls).toHaveLength(2);
    expect(call(1).context.rejectedToken).toBe("old");
    await give(1, "new");
    expect(await Promise.all(results)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(bearers(posts)).toEqual(["Bearer old", "Bearer old", "Bearer new", "Bearer new"]);
  });

  test("the provider is not asked if a newer token is known already", async () => {
    const { token, calls, give } = heldProvider();
    const { slow, refuse } = slowRefusal();
    const { client, posts } = setup([() => slow, refused401, created200, created200], { token });
    const slowly = client.tryCreatePlant(PLANT);
    const quickly = client.tryCreatePlant(PLANT);
    await give(0, "old");
    await give(1, "new");
    expect(await quickly).toMatchObject({ ok: true });
    refuse();
    expect(await slowly).toMatchObject({ ok: true });
    expect(calls).toHaveLength(2);
    expect(bearers(posts)).toEqual(["Bearer old", "Bearer old", "Bearer new", "Bearer new"]);
  });

  test("a newer token stays known after the next create has asked for its own", async () => {
    const { token, calls, give } = heldProvider();
    const { slow, refuse } = slowRefusal();
    const { client } = setup([() => slow, refused401, created200, created200, created200], { token });
    const slowly = client.tryCreatePlant(PLANT);
    const quickly = client.tryCreatePlant(PLANT);
    await give(0, "old");
    await give(1, "new");
    await quickly;
    const next = client.tryCreatePlant(PLANT);
    await give(2, "new");
    await next;
    refuse();
    expect(await slowly).toMatchObject({ ok: true });
    expect(calls).toHaveLength(3);
  });

  test("the provider is asked if a later call of it gave the rejected token again", async () => {
    const contexts: (string | undefined)[] = [];
    const token: TokenProvider = ({ rejectedToken }) => {
      contexts.push(rejectedToken);
      return rejectedToken ? "new" : "old";
    };
    const { slow, refuse } = slowRefusal();
    const { client, posts } = setup([() => slow, created200, created200], { token });
    const slowly = client.tryCreatePlant(PLANT);
    await flush();
    await client.createPlant(PLANT);
    refuse();
    expect(await slowly).toMatchObject({ ok: true });
    expect(contexts).toEqual([undefined, undefined, "old"]);
    expect(bearers(posts)).toEqual(["Bearer old", "Bearer old", "Bearer new"]);
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

  test("a new create joins the call for the new token", async () => {
    const { token, calls, give } = heldProvider();
    const { client, posts } = setup([refused401, created200, created200], { token });
    const first = client.tryCreatePlant(PLANT);
    await give(0, "old");
    const second = client.tryCreatePlant(PLANT);
    await flush();
    expect(calls).toHaveLength(2);
    await give(1, "new");
    expect(await Promise.all([first, second])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(bearers(posts)).toEqual(["Bearer old", "Bearer new", "Bearer new"]);
  });

  test("a provider that fails is a token error, and the outcome is rejected", async () => {
    const token: TokenProvider = ({ rejectedToken }) => {
      if (rejectedToken) throw new Error("no refresh token");
      return "old";
    };
    const mocked = setup([refused401], { token });
    const error = await failure(mocked);
    expect(error).toMatchObject({ kind: "token", outcome: "rejected" });
    expect(error.message).toBe(
      `POST ${URL_OF_PLANTS} got no token from the provider: no refresh token; the service refused it`,
    );
    expect(error.attempts).toMatchObject([{ status: 401, reason: "status" }]);
    expect(error.attempts[0]).not.toHaveProperty("delayMs");
    expect(mocked.seen).toHaveLength(1);
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

describe("a provider that fails", () => {
  test.each([
    [
      "throws",
      () => {
        throw new Error("sealed");
      },
    ],
    ["rejects", () => Promise.reject(new Error("sealed"))],
  ] as [string, TokenProvider][])("and %s is a token error: nothing was sent", async (_, token) => {
    const mocked = setup([], { token });
    const error = await failure(mocked);
    expect(error).toBeInstanceOf(PlantStoreTokenError);
    expect(error).toMatchObject({ name: "PlantStoreTokenError", kind: "token", outcome: "not-sent", attempts: [] });
    expect(error.message).toBe(
      `POST ${URL_OF_PLANTS} got no token from the provider: sealed; the request was not sent`,
    );
    expect(error.cause).toMatchObject({ message: "sealed" });
    expect(mocked.posts).toHaveLength(0);
  });

  const VISIBLE = "must be visible ASCII characters without spaces; character";
  test.each([
    [undefined, "must be a string, not undefined"],
    [null, "must be a string, not null"],
    [42, "must be a string, not a number"],
    [{ access_token: "abc" }, "must be a string, not an object"],
    ["", "must not be empty"],
    ["Bearer abc", 'must be the token alone, without "Bearer "'],
    ["abc\n", `${VISIBLE} 4 is "\\n"`],
    ["abc def", `${VISIBLE} 4 is " "`],
    ["abc\r\nX-Evil: 1", `${VISIBLE} 4 is "\\r"`],
    ["abc bearer def", `${VISIBLE} 4 is " "`],
    ["töken", `${VISIBLE} 2 is "ö"`],
  ])("and gives %j is a token error that names the rule", async (value, rule) => {
    const mocked = setup([], { token: (() => value) as unknown as TokenProvider });
    const error = await failure(mocked);
    expect(error.message).toBe(
      `POST ${URL_OF_PLANTS} got no token from the provider: The token ${rule}; the request was not sent`,
    );
    expect(error).toMatchObject({ kind: "token", outcome: "not-sent" });
    if (typeof value === "string" && value.length > 3) expect(error.message).not.toContain(value);
    expect(mocked.posts).toHaveLength(0);
  });

  test("is asked again by the next create", async () => {
    let asked = 0;
    const token = () => {
      if (asked++ === 0) throw new Error("not yet");
      return "ready";
    };
    const { client } = setup([created200], { token });
    await expect(client.createPlant(PLANT)).rejects.toThrow("not yet");
    expect(await client.createPlant(PLANT)).toEqual({ name: "Monstera", tag: "indoor" });
  });

  test("with a token in its error shows none, not even to a call that joined", async () => {
    const secret = "a-secret-of-some-length/1";
    const { token, call } = heldProvider();
    const { client } = setup([refused401], { token });
    const first = errorOf(client.createPlant(PLANT));
    await flush();
    call(0).give(secret);
    await flush();
    const joined = errorOf(client.createPlant(PLANT));
    await flush();
    call(1).fail(new Error(`cannot replace ${secret}`));
    for (const error of await Promise.all([first, joined])) {
      expect(error.kind).toBe("token");
      expect(error.message).toContain("cannot replace [redacted]");
      expect(String((error.cause as Error).stack)).not.toContain(secret);
    }
  });
});

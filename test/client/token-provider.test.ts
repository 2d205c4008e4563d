import type { PlantCreator, TokenProvider } from "plant-store-client";
import { describe, expect, test } from "vitest";
import { mustBe } from "../rules-in-words.ts";
import { errorOf, eventOf, failure } from "./fixtures/outcome-of.ts";
import { created, refused } from "./fixtures/replies.ts";
import { never, PLANT, setup } from "./fixtures/setup.ts";
import { flush } from "./fixtures/test-clock.ts";
import { bearers, type Context, heldProvider } from "./fixtures/token-providers.ts";

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

test("a clock that gives up on a provider fails the call, and says why", async () => {
  const { client, clock } = setup([], { token: () => never<string>() });
  const rejects: ((reason: Error) => void)[] = [];
  Object.assign(clock, {
    hold: (_: string, reject: (reason: Error) => void) => {
      rejects.push(reject);
      return () => {};
    },
  });
  const result = client.tryCreatePlant(PLANT);
  await flush();
  rejects[0]?.(new Error("time stands still"));
  const { outcome, error } = await result;
  expect([outcome, error?.kind, `${error?.cause}`]).toEqual(["not-sent", "token", "Error: time stands still"]);
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

  test("do not wait for a provider whose only call it aborted itself", async () => {
    const controller = new AbortController();
    const { token: held, calls, call, give } = heldProvider();
    const token: TokenProvider = (context) => {
      const pending = held(context);
      controller.abort();
      return pending;
    };
    const { client, posts } = setup([created200], { token });
    const aborted = await client.tryCreatePlant(PLANT, { signal: controller.signal });
    expect(aborted).toMatchObject({ error: { kind: "aborted", outcome: "not-sent" } });
    await flush();
    expect(call(0).context.signal.aborted).toBe(true);

    const next = client.tryCreatePlant(PLANT);
    await flush();
    expect(calls).toHaveLength(2);
    await give(1, "own");
    expect(await next).toMatchObject({ ok: true });
    expect(bearers(posts)).toEqual(["Bearer own"]);
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

  test("if the provider throws, fails this call alone", async () => {
    let asked = 0;
    const token = () => (asked++ === 0 ? JSON.parse("nobody is logged in") : "late");
    const { client, posts } = setup([created200], { token });
    const [first, second] = await Promise.all([client.tryCreatePlant(PLANT), client.tryCreatePlant(PLANT)]);
    expect([first.error?.kind, second.ok]).toEqual(["token", true]);
    expect(bearers(posts)).toEqual(["Bearer late"]);
  });
});

describe("a provider that fails", () => {
  test.each([
    [undefined, `${mustBe.string} undefined`],
    [{ access_token: "abc" }, `${mustBe.string} an object`],
    ["", "must not be empty"],
    ["Bearer abc", 'must be the token alone, without "Bearer "'],
    ["abc\r\nX-Evil: 1", "must be visible ASCII characters without spaces; character 4 is U+000D"],
  ])("and gives %j is a token error that names the rule, and not the token", async (value, rule) => {
    const mocked = setup([], { token: (() => value) as unknown as TokenProvider });
    expect(eventOf(await failure(mocked))).toBe(`got no token from the provider: The token ${rule}`);
    expect(mocked.posts).toHaveLength(0);
  });

  test("with the token of an earlier create in its error shows none", async () => {
    const secret = "a-secret-of-some-length/1";
    let asked = 0;
    const token = () => (asked++ === 0 ? secret : Promise.reject(new Error(`cannot renew ${secret}`)));
    const { client } = setup([created200], { token });
    await client.createPlant(PLANT);
    const { message, cause } = await errorOf(client.createPlant(PLANT));
    expect(message).toContain("cannot renew [redacted]");
    expect(String((cause as Error).stack)).not.toContain(secret);
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

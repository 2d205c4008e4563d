import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { mustBe } from "../rules-in-words.ts";
import { post, rejection } from "./post.ts";

const PLANT = '{"id":1,"name":"Fern"}';

it("keeps 200 concurrent sessions apart", async () => {
  const mock = createMockPlantStore();
  const sessions = Array.from({ length: 200 }, () => mock.session());
  await Promise.all(
    sessions.map(async (session, index) => {
      const client = new PlantStoreClient(session.clientOptions);
      for (let id = 0; id < 5; id++) await client.createPlant({ id, name: `session ${index}` });
    }),
  );
  for (const [index, session] of sessions.entries()) {
    expect(session.plants.size).toBe(5);
    expect([...session.plants].every(({ name }) => name === `session ${index}`)).toBe(true);
    expect(session.requests.count).toBe(5);
    expect([...session.requests].every(({ token }) => token === mock.labelOf(session.token))).toBe(true);
  }
  expect(mock.requests.count).toBe(0);
});

it("gives the root every request that belongs to no open session", async () => {
  const mock = createMockPlantStore();
  const session = mock.session();
  await post(mock, PLANT, { headers: { Authorization: "Bearer else", "Content-Type": "application/json" } });
  await post(mock, PLANT, { headers: {} });
  expect(mock.requests.count).toBe(2);
  const chosen = mock.session({ tokens: ["chosen"] });
  chosen[Symbol.dispose]();
  expect((await post(chosen, PLANT)).status).toBe(200);
  expect(mock.requests.count).toBe(3);
  expect([session.requests.count, chosen.requests.count]).toEqual([0, 0]);
});

it("rejects a late request with the random token of an ended session", async () => {
  for (const auth of [undefined, false] as const) {
    const mock = createMockPlantStore({ auth });
    const session = mock.session();
    await post(session, PLANT);
    session[Symbol.dispose]();
    expect(await post(session, PLANT)).toMatchObject({
      status: 401,
      text: '{"error":40102,"message":"Authorization: the session of the bearer token has ended"}',
    });
    expect([mock.plants.size, mock.requests.count]).toEqual([0, 1]);
  }
});

it("accepts such a token if auth.tokens lists it, and one that only contains one", async () => {
  const token = `session-${"0".repeat(32)}`;
  const listing = createMockPlantStore({ auth: { tokens: [token] } });
  expect((await post(listing, PLANT)).status).toBe(200);
  for (const other of [`x${token}`, `${token}0`]) {
    const headers = { Authorization: `Bearer ${other}`, "Content-Type": "application/json" };
    expect((await post(createMockPlantStore(), PLANT, { headers })).status).toBe(200);
  }
});

it("accepts several tokens; the first one is its token", async () => {
  const mock = createMockPlantStore({ auth: { tokens: ["root-token"] } });
  const session = mock.session({ tokens: ["old", "new"] });
  expect(session.token).toBe("old");
  for (const token of ["old", "new"]) {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    expect((await post(session, PLANT, { headers })).status).toBe(200);
  }
  expect(session.plants.size).toBe(2);
  expect((await post(mock, PLANT)).status).toBe(200);
  expect((await post(mock, PLANT, { headers: { Authorization: "Bearer other" } })).status).toBe(401);
});

it("keeps its tokens valid in a reset", async () => {
  const mock = createMockPlantStore({ auth: { tokens: ["other"] } });
  const session = mock.session({ tokens: ["mine"] });
  session.reset();
  expect((await post(session, PLANT)).status).toBe(200);
});

it("rejects a token that is in use, and frees it on dispose", () => {
  const mock = createMockPlantStore({ auth: { tokens: ["mine"] } });
  const session = mock.session({ tokens: ["a"] });
  expect(() => mock.session({ tokens: ["b", "a"] })).toThrow(
    `tokens: ${mock.labelOf("a")} is in use by another session`,
  );
  expect(() => mock.session({ tokens: ["mine"] })).toThrow("is in use by another session");
  mock.session({ tokens: ["b"] });
  session[Symbol.dispose]();
  mock.session({ tokens: ["a"] });
});

it.each<[options: unknown, problem: string]>([
  [{ tokens: [] }, "tokens: must not be empty; omit the option for a random token"],
  [{ tokens: ["ok", ""] }, "tokens[1]: must not be empty"],
  [{ tokens: ["ok", "a b"] }, 'tokens[1]: must be visible ASCII characters without spaces; character 2 is " "'],
  [{ tokens: ["a,b"] }, "tokens[0]: must not contain a comma; pass each token by itself"],
  [{ tokens: [7] }, `tokens[0]: ${mustBe.string} a number`],
  [{ tokens: "token" }, `tokens: must be an array of tokens, not a string`],
  [{ tokens: null }, `tokens: must be an array of tokens, not null`],
  [{ token: "a" }, 'unknown option "token"; known options: tokens'],
])("refuses the options %j", (options, problem) => {
  expect(() => createMockPlantStore().session(options as never)).toThrow(problem);
});

it("reports the use of a disposed session", () => {
  const session = createMockPlantStore().session();
  session[Symbol.dispose]();
  session[Symbol.dispose]();
  const rest = "the session was disposed; open another with mock.session()";
  expect(() => session.inject(faults.hang())).toThrow(`session.inject: ${rest}`);
  expect(() => session.hold()).toThrow(`session.hold: ${rest}`);
  expect(() => session.plants.add({ id: 1, name: "x" })).toThrow(`session.plants.add: ${rest}`);
  expect(() => session.verify()).toThrow(`session.verify: ${rest}`);
});

it("with auth.tokens [], only the tokens of open sessions are valid", async () => {
  const mock = createMockPlantStore({ auth: { tokens: [] } });
  const session = mock.session({ tokens: ["token-of-this-test"] });
  expect((await post(session, PLANT)).status).toBe(200);
  for (const token of ["token-of-this-tset", mock.token]) {
    const refused = await post(mock, PLANT, { headers: { Authorization: `Bearer ${token}` } });
    expect(refused).toMatchObject({ status: 401, headers: { "www-authenticate": 'Bearer error="invalid_token"' } });
    expect(JSON.parse(refused.text).message).toBe(
      "Authorization: the bearer token is not valid; auth.tokens is [], so open a session, and send its token",
    );
  }
  session.verify();
  session.close();
  expect((await post(session, PLANT)).status).toBe(401);
});

it("a second dispose leaves its tokens to the session that has them now", async () => {
  const mock = createMockPlantStore();
  const first = mock.session({ tokens: ["a"] });
  first[Symbol.dispose]();
  const second = mock.session({ tokens: ["a"] });
  first[Symbol.dispose]();
  await post(second, '{"id":1,"name":"x"}');
  expect([second.plants.size, mock.plants.size]).toEqual([1, 0]);
});

it("can be opened if the mock requires no token", async () => {
  const mock = createMockPlantStore({ auth: false });
  const session = mock.session({ tokens: ["a"] });
  await post(session, '{"id":1,"name":"x"}');
  expect([session.plants.size, mock.plants.size]).toEqual([1, 0]);
});

it("close() is dispose, for runners without `using`; that of the mock ends every session, and resets the root", async () => {
  const mock = createMockPlantStore();
  const [closed, open] = [mock.session({ tokens: ["a"] }), mock.session({ tokens: ["b"] })];
  closed.close();
  expect(() => closed.verify()).toThrow("the session was disposed");
  mock.inject(faults.hang());
  mock.close();
  expect(() => open.verify()).toThrow("the session was disposed");
  mock.verify();
  expect((await post(mock.session({ tokens: ["b"] }), PLANT)).status).toBe(200);
});

it("starts with a copy of the initial plants, and returns to it on reset", async () => {
  const mock = createMockPlantStore({ initialPlants: [{ id: 5n, name: "Fern", tag: undefined }] });
  const session = mock.session();
  await post(session, PLANT);
  session.plants.add({ id: 2n ** 60n, name: "Moss", tag: "green" });
  expect([...session.plants]).toEqual([
    { id: 5, name: "Fern" },
    { id: 1, name: "Fern" },
    { id: 2n ** 60n, name: "Moss", tag: "green" },
  ]);
  expect(mock.plants.size).toBe(1);
  session.reset();
  expect([...session.plants]).toStrictEqual([{ id: 5, name: "Fern" }]);
});

it("finds the newest plant of an id, a number or a bigint", () => {
  const { plants } = createMockPlantStore();
  expect(plants.get(1)).toBeUndefined();
  plants.add({ id: 1, name: "a" });
  expect(plants.get(1n)).toEqual({ id: 1, name: "a" });
  plants.add({ id: 1n, name: "b" });
  plants.add({ id: 2n ** 62n, name: "c" });
  expect(plants.get(1)).toEqual({ id: 1, name: "b" });
  expect([plants.has(1n), plants.has(2), plants.has(2n ** 62n)]).toEqual([true, false, true]);
  expect(plants.size).toBe(3);
  expect(() => plants.get(1.5)).toThrow(`id: ${mustBe.storedId} 1.5`);
  expect(() => plants.add({ id: 1.5, name: 7 } as never)).toThrow(
    `plant.id: ${mustBe.int64} 1.5; plant.name: ${mustBe.string} 7`,
  );
});

it("returns copies of its plants", () => {
  const { plants } = createMockPlantStore();
  plants.add({ id: 1, name: "a" });
  for (const plant of plants) plant.name = "changed";
  Object.assign(plants.get(1) ?? {}, { name: "changed" });
  expect(plants.get(1)?.name).toBe("a");
});

it("a reset fails waiting requests, and neither stores nor records earlier ones", async () => {
  const mock = createMockPlantStore();
  const gate = mock.hold();
  const held = rejection(post(mock, PLANT));
  await gate.arrived(1);
  mock.reset();
  expect((await held).cause).toMatchObject({ code: "ECONNRESET" });
  for (const fault of [faults.hang(), faults.delay(2 ** 31 - 1)]) {
    mock.inject(fault);
    const waiting = rejection(post(mock, PLANT));
    mock.reset();
    expect((await waiting).cause).toMatchObject({ code: "ECONNRESET" });
  }
  mock.inject(faults.stalledBody());
  const stalled = rejection(post(mock, PLANT));
  await new Promise((resolve) => setImmediate(resolve));
  mock.reset();
  expect((await stalled).cause).toMatchObject({ code: "ECONNRESET" });
  const reading = rejection(post(mock, new Blob([PLANT])));
  mock.reset();
  expect((await reading).cause).toMatchObject({ code: "ECONNRESET" });
  expect([mock.plants.size, mock.requests.count]).toEqual([0, 0]);
});

it("has options for a client, and a token for each session", () => {
  const mock = createMockPlantStore();
  const session = mock.session();
  expect(session.clientOptions).toEqual({
    baseUrl: mock.baseUrl,
    token: session.token,
    fetch: mock.fetch,
    backoff: { initialMs: 0 },
  });
  expect(session.token).toMatch(/^session-[0-9a-f]{32}$/);
  expect(mock.token).toMatch(/^root-[0-9a-f]{32}$/);
  const { clock, clientOptions } = createMockPlantStore({ time: "virtual" });
  expect(clientOptions.clock).toBe(clock);
  expect(clientOptions).not.toHaveProperty("backoff");
});

import { inspect } from "node:util";
import { PlantStoreClient } from "plant-store-client";
import { faults } from "plant-store-client/mock";
import {
  connectMockPlantStore,
  type HttpMockPlantStore,
  type RemoteMockPlantStore,
  startMockPlantStore,
} from "plant-store-client/mock/http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { INT64_MAX, INT64_MIN } from "../../int64-values.ts";
import { post } from "./post.ts";

let mock: HttpMockPlantStore;
let remote: RemoteMockPlantStore;
beforeAll(async () => {
  mock = await startMockPlantStore({ basePath: "/v1", initialPlants: [{ id: 2n ** 62n, name: "initial" }] });
  remote = await connectMockPlantStore(mock.url);
});
afterEach(() => remote.reset());
afterAll(async () => {
  await remote.close();
  await mock.close();
});

describe("connectMockPlantStore", () => {
  it("has the address, a token, and options of a client", async () => {
    expect(remote.clientOptions).toEqual({ baseUrl: mock.baseUrl, token: mock.token, backoff: { initialMs: 0 } });
    const client = new PlantStoreClient(remote.clientOptions);
    expect(await client.createPlant({ id: 1, name: "a" })).toEqual({ name: "a" });
  });

  it("makes no control call when it is serialized, logged or copied", async () => {
    const ended = await startMockPlantStore();
    const handle = await connectMockPlantStore(ended.url);
    await ended.close();
    // A call would reject, which fails the run if nobody awaits it.
    const { baseUrl, token, clientOptions } = handle;
    expect(JSON.parse(JSON.stringify(handle))).toEqual({ baseUrl, token, clientOptions, plants: {}, requests: {} });
    expect({ ...handle.plants, ...structuredClone(handle.requests) }).toEqual({});
    expect(inspect(handle, { getters: true })).toContain("plants: RemotePlants {}");
  });

  it("reads and adds plants with exact ids", async () => {
    await remote.plants.add({ id: INT64_MAX, name: 'a "9007199254740993"', tag: "t" });
    await remote.plants.add({ id: INT64_MIN, name: "b" });
    const all = [];
    for await (const plant of remote.plants) all.push(plant);
    expect(all).toEqual([
      { id: 2n ** 62n, name: "initial" },
      { id: INT64_MAX, name: 'a "9007199254740993"', tag: "t" },
      { id: INT64_MIN, name: "b" },
    ]);
    expect(await remote.plants.size).toBe(3);
    expect(await remote.plants.get(INT64_MAX)).toEqual(all[1]);
    expect(await remote.plants.has(INT64_MAX)).toBe(true);
    expect(await remote.plants.has(3)).toBe(false);
  });

  it("reads the recorded requests", async () => {
    expect(await remote.requests.last).toBeUndefined();
    await post(remote.baseUrl, `{"id":${INT64_MAX},"name":"a"}`);
    await post(remote.baseUrl, "{");
    const all = [];
    for await (const request of remote.requests) all.push(request);
    expect(all).toMatchObject([
      { plant: { id: INT64_MAX, name: "a" }, status: 200, provenance: "declared" },
      { bodyText: "{", status: 400, provenance: "assumed", assumption: "json" },
    ]);
    expect(await remote.requests.last).toEqual(all[1]);
    await remote.requests.clear();
    expect(await remote.requests.count).toBe(0);
  });

  it("injects faults for an exact id, once or without limit", async () => {
    await remote.inject(faults.apiError(7, "no"), { when: { id: INT64_MAX }, times: Number.POSITIVE_INFINITY });
    await remote.inject(faults.networkError(), { times: 1 });
    await expect(post(remote.baseUrl, '{"id":1,"name":"a"}')).rejects.toThrow("fetch failed");
    for (let i = 0; i < 3; i++) expect((await post(remote.baseUrl, `{"id":${INT64_MAX},"name":"a"}`)).status).toBe(400);
    expect((await post(remote.baseUrl, '{"id":1,"name":"a"}')).status).toBe(200);
    await remote.inject(faults.apiError(8, "by chance"), { probability: 1 });
    for (let i = 0; i < 3; i++) expect((await post(remote.baseUrl, '{"id":1,"name":"a"}')).status).toBe(400);
  });

  it("rejects functions, and faults for which there is no connection", async () => {
    await expect(remote.inject(faults.hang(), { when: (() => true) as never })).rejects.toThrow(
      "when: must be an object with fields of the plant; a function cannot be sent to another process",
    );
    await expect(remote.inject(faults.connectionRefused())).rejects.toThrow("only the in-memory mock can reproduce it");
  });

  it("holds requests", async () => {
    const gate = await remote.hold();
    const held = post(remote.baseUrl, '{"id":1,"name":"a"}');
    await gate.arrived(1);
    await expect(remote.verify()).rejects.toThrow("1 request held at a gate");
    await gate.release();
    expect((await held).status).toBe(200);
    await remote.verify();
  });

  it("a gate rejects a wait for arrivals when the session is reset", async () => {
    const gate = await remote.hold();
    const waiting = expect(gate.arrived(1)).rejects.toThrow(
      "gate.arrived(1): the session was reset after 0 of 1 requests",
    );
    await remote.labelOf("x"); // The wait is with the mock by now.
    await remote.reset();
    await waiting;
  });

  it("waits at a gate, however short the timeout of other calls", async () => {
    const impatient = await connectMockPlantStore(mock.url, { timeoutMs: 5_000 });
    const gate = await impatient.hold();
    const limits = vi.spyOn(AbortSignal, "timeout");
    const arrived = gate.arrived(1);
    const held = post(impatient.baseUrl, '{"id":1,"name":"a"}');
    await arrived;
    // The mock itself responds after 10 s, even if nothing has arrived.
    expect(limits).toHaveBeenCalledExactlyOnceWith(15_000);
    await gate.release();
    expect((await held).status).toBe(200);
    await impatient.close();
  });

  it("opens sessions, which end with the connection", async () => {
    const other = await connectMockPlantStore(`${mock.url}/v1/`);
    const session = await other.session({ tokens: ["remote-1"] });
    await other.session();
    await post(session.baseUrl, '{"id":1,"name":"a"}', "remote-1");
    expect([await session.requests.count, await remote.requests.count]).toEqual([1, 0]);
    expect((await session.requests.last)?.token).toBe(await remote.labelOf("remote-1"));
    await expect(remote.session({ tokens: ["remote-1"] })).rejects.toThrow("in use by another session");
    await session[Symbol.asyncDispose]();
    await session[Symbol.asyncDispose]();
    await (await remote.session({ tokens: ["remote-1"] }))[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    expect((await (await fetch(`${mock.url}/_mock/state`)).json()).sessions).toHaveLength(1);
  });

  it("sends the control token", async () => {
    await using guarded = await startMockPlantStore({ controlToken: "control-secret" });
    await expect(connectMockPlantStore(guarded.url)).rejects.toThrow("must be `Bearer <control token>`");
    await using connected = await connectMockPlantStore(guarded.url, { controlToken: "control-secret" });
    expect(await connected.plants.size).toBe(0);
    expect(connected.baseUrl).toBe(guarded.baseUrl);
  });

  it.each([
    ["", ', not ""'],
    ["localhost:4010", ', not "localhost:4010"'],
    ["https://127.0.0.1:4010", ', not "https://127.0.0.1:4010"'],
    ["https://user:s3cret@127.0.0.1", ""],
  ])("refuses the URL %j, and does not show a password", async (url, received) => {
    await expect(connectMockPlantStore(url)).rejects.toThrow(
      new TypeError(`url: must be an http URL, such as http://127.0.0.1:4010${received}`),
    );
  });

  it("reports that no mock listens, and how to start one", async () => {
    const { url, close } = await startMockPlantStore();
    await close();
    await expect(connectMockPlantStore(url)).rejects.toMatchObject({
      message: `the mock at ${url} cannot be reached: connect ECONNREFUSED ${new URL(url).host}; start it with plant-store-mock`,
      cause: { code: "ECONNREFUSED" },
    });
  });
});

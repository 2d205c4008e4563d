import { Server } from "node:net";
import { faults } from "plant-store-client/mock";
import { connectMockPlantStore, type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { post as fetchPost } from "./post.ts";
import { exchange, PLANT, parseReply, post, RawConnection } from "./raw.ts";

let mock: HttpMockPlantStore;
const connections: RawConnection[] = [];

beforeAll(async () => {
  mock = await startMockPlantStore();
});
afterEach(() => {
  for (const connection of connections.splice(0)) connection.cut();
  mock.reset();
});
afterAll(() => mock.close());

async function open({ url } = mock): Promise<RawConnection> {
  const connection = await RawConnection.open(url);
  connections.push(connection);
  return connection;
}

async function expectServed({ baseUrl } = mock): Promise<void> {
  expect((await fetchPost(baseUrl, PLANT)).status).toBe(200);
}

describe("a hostile client", () => {
  it("that cuts its request at any byte changes nothing", async () => {
    const bytes = Buffer.from(post(PLANT));
    for (let length = 0; length < bytes.length; length++) {
      const connection = await RawConnection.open(mock.url);
      await connection.send(bytes.subarray(0, length));
      connection.cut();
    }
    await expectServed();
    expect(mock.plants.size).toBe(1);
  });

  it("that half-closes in the middle of a request is disconnected", async () => {
    const bytes = Buffer.from(post(PLANT));
    for (let length = 1; length < bytes.length; length += 7) {
      const connection = await open();
      await connection.send(bytes.subarray(0, length));
      connection.halfClose();
      expect((await connection.ended()).text).toMatch(/^$|^HTTP\/1\.1 400 /);
    }
    await expectServed();
    expect(mock.plants.size).toBe(1);
  });

  it("that sends a garbled body does not block the others", async () => {
    await using single = await startMockPlantStore({ limits: { maxConnections: 1 } });
    const connection = await RawConnection.open(single.url);
    connections.push(connection);
    const head = post("", ["Transfer-Encoding: chunked"]).replace("Content-Length: 0\r\n", "");
    await connection.send(`${head}no length\r\n`);
    expect(parseReply(await connection.received(/message/)).status).toBe(400);
    expect(parseReply((await exchange(single.url, post(PLANT, ["Connection: close"]))).text).status).toBe(200);
  });

  it("of HTTP/1.0 that sends no Host is served", async () => {
    const request = post(PLANT)
      .replace(/Host: .*\r\n/, "")
      .replace("HTTP/1.1", "HTTP/1.0");
    expect(parseReply((await exchange(mock.url, request)).text).status).toBe(200);
  });

  it("with both Content-Length and Transfer-Encoding gets 400, and nothing is smuggled", async () => {
    const { text } = await exchange(mock.url, post(PLANT, ["Transfer-Encoding: chunked"]));
    expect(parseReply(text).status).toBe(400);
    expect(mock.plants.size).toBe(0);
  });
});

describe("a slow client", () => {
  const limits = { requestTimeoutMs: 100 };

  it.each([
    ["headers", "POST /plants HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    ["a body", post(PLANT).slice(0, -5)],
  ])("that never ends %s gets 408", async (_part, beginning) => {
    await using strict = await startMockPlantStore({ limits });
    const { text } = await exchange(strict.url, beginning);
    expect(parseReply(text)).toMatchObject({ status: 408, headers: { connection: "close" } });
    expect(JSON.parse(parseReply(text).body)).toEqual({
      error: 40801,
      message: "request: did not arrive in time; send it faster",
    });
  });

  it("has half of the time for its headers, whose size is limited too", async () => {
    const listen = vi.spyOn(Server.prototype, "listen");
    await using _strict = await startMockPlantStore({ limits: { requestTimeoutMs: 99, maxHeaderBytes: 2000 } });
    const expected = { headersTimeout: 50, requestTimeout: 99, maxHeaderSize: 2000 };
    expect(listen.mock.contexts[0]).toMatchObject(expected);
  });

  it("gets 408 soon after the limit", async () => {
    await using strict = await startMockPlantStore({ limits });
    await using lenient = await startMockPlantStore();
    lenient.inject(faults.delay(20_000)); // Node itself looks for slow requests every 30 s.
    const slow = await open(strict);
    await slow.send(post(PLANT).slice(0, -5));
    const delayed = await open(lenient);
    await delayed.send(post(PLANT));
    const first = await Promise.race([slow, delayed].map((connection) => connection.received(/\}$/)));
    expect(parseReply(first).status).toBe(408);
  });

  it("that sends nothing is disconnected", async () => {
    await using strict = await startMockPlantStore({ limits });
    expect(parseReply((await exchange(strict.url, "")).text).status).toBe(408);
  });
});

describe("a client that opens too many connections", () => {
  const limits = { maxConnections: 20 };

  it("loses the idle ones", async () => {
    await using crowded = await startMockPlantStore({ limits });
    const idle: RawConnection[] = [];
    for (let i = 0; i < 21; i++) {
      const connection = await open(crowded);
      for (const name of ["first", "second"]) {
        await connection.send(post(`{"id":1,"name":"${name}"}`));
        await connection.received(new RegExp(name));
      }
      idle.push(connection);
    }
    expect((await idle[0]?.endedPolitely())?.text).toContain("second");
  });

  it("gets 503 if every connection is in use, while control calls get through", async () => {
    await using crowded = await startMockPlantStore({ limits });
    const gate = crowded.hold();
    const held: RawConnection[] = [];
    for (let i = 0; i < 20; i++) {
      const connection = await open(crowded);
      await connection.send(post(`{"id":${i},"name":"held"}`));
      held.push(connection);
    }
    await gate.arrived(20);
    const { status, headers, body } = parseReply((await exchange(crowded.url, post(PLANT))).text);
    expect([status, headers["retry-after"], headers.connection]).toEqual([503, "1", "close"]);
    expect(JSON.parse(body)).toEqual({
      error: 50301,
      message: "too many connections: the limit is 20; close some, or raise limits.maxConnections",
    });
    const extra = await Promise.all(Array.from({ length: 7 }, () => open(crowded)));
    await using remote = await connectMockPlantStore(crowded.url);
    expect(await (await open(crowded)).endedPolitely()).toMatchObject({ text: "" });
    await expect(connectMockPlantStore(crowded.url)).rejects.toThrow(
      /; it has ended, or more connections are open than its limits.maxConnections$/,
    );
    gate.release();
    for (const connection of held) await connection.received(/held/);
    expect(crowded.plants.size).toBe(20);
    for (const connection of [...held, ...extra]) connection.cut();
    await remote.reset();
  });
});

import { Socket } from "node:net";
import { constants } from "node:os";
import { faults } from "plant-store-client/mock";
import { connectMockPlantStore, type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { post as fetchPost } from "./post.ts";
import { exchange, PLANT, parseReply, post, RawConnection } from "./raw.ts";

let mock: HttpMockPlantStore;
const connections: RawConnection[] = [];

beforeAll(async () => {
  mock = await startMockPlantStore({ limits: { maxHeaderBytes: 2000 } });
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

  it.each([
    ["one long header", `X-Flood: ${"a".repeat(3000)}\r\n`],
    ["many short headers", "X-Flood: a\r\n".repeat(300)],
  ])("that floods with %s gets 431", async (_what, headers) => {
    const { text } = await exchange(mock.url, `GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    const reply = parseReply(text);
    expect(reply).toMatchObject({ status: 431, headers: { "content-type": "application/json" } });
    const message = "headers: are too large; send fewer or shorter headers";
    expect(JSON.parse(reply.body)).toEqual({ error: 43101, message });
  });

  it("that floods with chunk extensions gets 413", async () => {
    const head = post("", ["Transfer-Encoding: chunked"]).replace("Content-Length: 0\r\n", "");
    const { text } = await exchange(mock.url, `${head}1;${"a".repeat(20_000)}\r\n`);
    expect(parseReply(text).status).toBe(413);
    expect(JSON.parse(parseReply(text).body)).toEqual({
      error: 41302,
      message: "body: its chunk extensions are too large; remove them",
    });
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

  it("that sends no Host gets 400, and its connection is closed", async () => {
    const reply = parseReply((await exchange(mock.url, post(PLANT).replace(/Host: .*\r\n/, ""))).text);
    expect(reply).toMatchObject({ status: 400, headers: { connection: "close" } });
    expect(mock.plants.size).toBe(0);
  });

  it("of HTTP/1.0 that sends no Host is served", async () => {
    const request = post(PLANT)
      .replace(/Host: .*\r\n/, "")
      .replace("HTTP/1.1", "HTTP/1.0");
    expect(parseReply((await exchange(mock.url, request)).text).status).toBe(200);
  });

  it("that sends CONNECT is disconnected", async () => {
    const { text } = await exchange(mock.url, "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n");
    expect([text, mock.requests.count]).toEqual(["", 0]);
  });

  it("that speaks https learns what to use", async () => {
    const { text } = await exchange(mock.url, "\x16\x03\x01\x02\x00\x01\x00");
    expect(JSON.parse(parseReply(text).body).message).toBe(`the client speaks https; use ${mock.url}`);
  });

  it.each(["\0\0\0\r\n\r\n", "POST /plants SPDY/9\r\n\r\n"])("that does not speak HTTP (%j) gets 400", async (text) => {
    const reply = parseReply((await exchange(mock.url, text)).text);
    expect(reply).toMatchObject({
      status: 400,
      headers: { connection: "close", "content-type": "application/json" },
    });
    expect(JSON.parse(reply.body)).toEqual({
      error: 40000,
      message: "request: cannot be parsed; send valid HTTP/1.1",
    });
  });

  it("with both Content-Length and Transfer-Encoding gets 400, and nothing is smuggled", async () => {
    const { text } = await exchange(mock.url, post(PLANT, ["Transfer-Encoding: chunked"]));
    expect(parseReply(text).status).toBe(400);
    expect(mock.plants.size).toBe(0);
  });

  it("that disconnects while its request is held does no harm", async () => {
    const gate = mock.hold();
    const connection = await open();
    await connection.send(post(PLANT));
    await gate.arrived(1);
    connection.cut();
    await connection.ended();
    gate.release();
    await expectServed();
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

/** Makes the next reset fail, as it does if the system no longer accepts socket options. */
function failNextReset(): void {
  const { resetAndDestroy } = Socket.prototype;
  vi.spyOn(Socket.prototype, "resetAndDestroy").mockImplementationOnce(function (this: Socket) {
    const { _handle: handle } = this as unknown as { _handle: { reset(): number; close(): void } };
    handle.reset = () => {
      handle.close();
      return -constants.errno.EINVAL;
    };
    return resetAndDestroy.call(this);
  });
}

describe("a connection whose reset fails", () => {
  it("is removed: it makes room for another, and close does not wait for it", async () => {
    const single = await startMockPlantStore({ limits: { maxConnections: 1 } });
    single.inject(faults.networkError());
    failNextReset();
    expect((await exchange(single.url, post(PLANT))).text).toBe("");
    expect(Socket.prototype.resetAndDestroy).toHaveBeenCalledOnce();
    vi.restoreAllMocks();
    expect(parseReply((await exchange(single.url, post(PLANT, ["Connection: close"]))).text).status).toBe(200);
    await single.close();
  });
});

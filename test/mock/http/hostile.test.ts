import { Socket } from "node:net";
import { constants } from "node:os";
import { faults } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { post as fetchPost } from "./post.ts";
import { exchange, PLANT, parseReply, post, RawConnection } from "./raw.ts";

let mock: HttpMockPlantStore;
const connections: RawConnection[] = [];

beforeAll(async () => {
  mock = await startMockPlantStore({ limits: { maxConnections: 20, maxHeaderBytes: 2000, requestTimeoutMs: 400 } });
});
afterEach(() => {
  for (const connection of connections.splice(0)) connection.cut();
  mock.reset();
});
afterAll(() => mock.close());

async function open(): Promise<RawConnection> {
  const connection = await RawConnection.open(mock.url);
  connections.push(connection);
  return connection;
}

async function heldRequests(): Promise<number> {
  const { gates } = await (await fetch(`${mock.url}/_mock/gates`)).json();
  return gates[0].held.length;
}

async function expectServed(): Promise<void> {
  expect((await fetchPost(mock.baseUrl, PLANT)).status).toBe(200);
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
    ["headers", "POST /plants HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    ["a body", post(PLANT).slice(0, -5)],
  ])("that never ends %s gets 408", async (_part, beginning) => {
    const { text } = await exchange(mock.url, beginning);
    expect(parseReply(text)).toMatchObject({ status: 408, headers: { connection: "close" } });
    expect(JSON.parse(parseReply(text).body)).toEqual({
      error: 40801,
      message: "request: did not arrive in time; send it faster",
    });
  });

  it("that never ends a body gets 408 soon after the limit", async () => {
    await using strict = await startMockPlantStore({ limits: { requestTimeoutMs: 40 } });
    await using lenient = await startMockPlantStore();
    lenient.inject(faults.delay(120));
    const slow = await RawConnection.open(strict.url);
    await slow.send(post(PLANT).slice(0, -5));
    const delayed = await RawConnection.open(lenient.url);
    await delayed.send(post(PLANT));
    connections.push(slow, delayed);
    const order: number[] = [];
    await Promise.all(
      [slow, delayed].map(async (connection) => order.push(parseReply(await connection.received(/\}$/)).status)),
    );
    expect(order).toEqual([408, 200]);
  });

  it("that sends nothing is disconnected", async () => {
    expect(parseReply((await exchange(mock.url, "")).text).status).toBe(408);
  });

  it.each([
    ["one long header", `X-Flood: ${"a".repeat(3000)}\r\n`],
    ["many short headers", "X-Flood: a\r\n".repeat(300)],
  ])("that floods with %s gets 431", async (_what, headers) => {
    const { text } = await exchange(mock.url, `GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    expect(parseReply(text)).toMatchObject({ status: 431, headers: { "content-type": "application/json" } });
    expect(JSON.parse(parseReply(text).body).message).toBe("headers: are too large; send fewer or shorter ones");
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

  it("that sends no Host gets 400", async () => {
    expect(parseReply((await exchange(mock.url, "GET /plants HTTP/1.1\r\n\r\n")).text).status).toBe(400);
  });

  it.each(["\0\0\0\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00", "POST /plants SPDY/9\r\n\r\n"])(
    "that does not speak HTTP (%j) gets 400",
    async (text) => {
      const reply = parseReply((await exchange(mock.url, text)).text);
      expect(reply).toMatchObject({
        status: 400,
        headers: { connection: "close", "content-type": "application/json" },
      });
      expect(JSON.parse(reply.body)).toEqual({
        error: 40000,
        message: "request: must be HTTP/1.1; it cannot be parsed",
      });
    },
  );

  it("with both Content-Length and Transfer-Encoding gets 400, and nothing is smuggled", async () => {
    const { text } = await exchange(mock.url, post(PLANT, ["Transfer-Encoding: chunked"]));
    expect(parseReply(text).status).toBe(400);
    expect(mock.plants.size).toBe(0);
  });

  it("that opens too many connections loses the unused ones first, then the idle ones", async () => {
    await expectServed(); // By a connection that fetch keeps open: the first that is idle.
    const silent: RawConnection[] = [];
    for (let i = 0; i < 20; i++) silent.push(await open());
    expect((await silent[0]?.endedPolitely())?.text).toBe("");
    await expectServed();
  });

  it("that keeps idle connections open loses them", async () => {
    const idle: RawConnection[] = [];
    for (let i = 0; i < 21; i++) {
      const connection = await open();
      await connection.send(post(PLANT));
      await connection.received(/Monstera/);
      idle.push(connection);
    }
    expect((await idle[0]?.endedPolitely())?.text).toContain("Monstera");
  });

  it("is disconnected if every connection is in use", async () => {
    const gate = mock.hold();
    const held: RawConnection[] = [];
    for (let i = 0; i < 20; i++) {
      const connection = await open();
      await connection.send(post(`{"id":${i},"name":"held"}`));
      held.push(connection);
      // The server may still count connections of the test before: it closes those rather than one that is in use.
      await gate.arrived(i + 1);
    }
    const one = await open();
    expect(await one.endedPolitely()).toMatchObject({ text: "" });
    gate.release();
    for (const connection of held) await connection.received(/held/);
    expect(mock.plants.size).toBe(20);
  });

  it("that disconnects during CONNECT releases its gate", async () => {
    const gate = mock.hold();
    for (let i = 0; i < 5; i++) {
      const connection = await open();
      await connection.send("CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n");
      await gate.arrived(i + 1);
      if (i % 2) connection.cut();
      else connection.halfClose();
    }
    await expect.poll(heldRequests).toBe(0);
    gate.release();
    await expectServed();
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

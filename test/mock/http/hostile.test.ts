import { startMockPlantStore } from "plant-store-client/mock/http";
import { afterEach, describe, expect, it } from "vitest";
import { post as fetchPost } from "./post.ts";
import { exchange, PLANT, parseReply, post, RawConnection } from "./raw.ts";
import { sharedMock } from "./shared-mock.ts";
import { useShortTimeouts } from "./short-timeouts.ts";

const mock = await sharedMock();
const connections: RawConnection[] = [];
afterEach(() => {
  for (const connection of connections.splice(0)) connection.cut();
});

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
    const connection = await open();
    const head = post("", ["Transfer-Encoding: chunked"]).replace("Content-Length: 0\r\n", "");
    await connection.send(`${head}no length\r\n`);
    expect(parseReply(await connection.received(/message/)).status).toBe(400);
    expect(parseReply((await exchange(mock.url, post(PLANT, ["Connection: close"]))).text).status).toBe(200);
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
  it.each([
    ["ends headers", "POST /plants HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    ["ends a body", post(PLANT).slice(0, -5)],
    ["sends anything", ""],
  ])("that never %s gets 408", async (_part, beginning) => {
    useShortTimeouts();
    await using strict = await startMockPlantStore();
    const { text } = await exchange(strict.url, beginning);
    expect(parseReply(text)).toMatchObject({ status: 408, headers: { connection: "close" } });
    expect(JSON.parse(parseReply(text).body)).toEqual({
      error: 40801,
      message: "request: did not arrive in time; send it faster",
    });
  });
});

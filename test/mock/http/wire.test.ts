import { startMockPlantStore } from "plant-store-client/mock/http";
import { describe, expect, it } from "vitest";
import { exchange, PLANT, parseReply, post, RawConnection } from "./raw.ts";
import { sharedMock } from "./shared-mock.ts";
import { useShortTimeouts } from "./short-timeouts.ts";

const mock = await sharedMock({ maxBodyBytes: 1000 });

const CLOSE = ["Connection: close"];

/** Sends one mebibyte after another, and returns how many bytes were accepted. */
async function sendUntilClosed(connection: RawConnection): Promise<number> {
  let isOver = false;
  connection.ended().then(() => (isOver = true));
  let sent = 0;
  for (; !isOver; sent += 2 ** 20) await connection.send(Buffer.alloc(2 ** 20));
  return sent;
}

describe("the wire", () => {
  it("carries a response exactly as the contract declares it", async () => {
    const { text } = await exchange(mock.url, post('{"id":1,"name":"Aloë","tag":"x"}', CLOSE));
    const date = /Date: (.+)\r\n/.exec(text)?.[1];
    expect(Buffer.from(text, "latin1").toString()).toBe(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 26\r\n" +
        `Date: ${date}\r\nConnection: close\r\n\r\n{"name":"Aloë","tag":"x"}`,
    );
  });

  it("carries the response to a request that cannot be parsed in the same form", async () => {
    const { text } = await exchange(mock.url, "garbage\r\n\r\n");
    expect(text).toBe(
      "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 74\r\n\r\n" +
        '{"error":40000,"message":"request: cannot be parsed; send valid HTTP/1.1"}',
    );
  });

  it("accepts a body in chunks of one byte", async () => {
    const name = "0123456789".repeat(250);
    await using lenient = await startMockPlantStore();
    const head = post("", ["Transfer-Encoding: chunked", ...CLOSE]).replace("Content-Length: 0\r\n", "");
    const chunks = [...`{"id":1,"name":"${name}"}`].map((character) => `1\r\n${character}\r\n`).join("");
    const { text } = await exchange(lenient.url, `${head}${chunks}0\r\n\r\n`);
    expect(parseReply(text).status).toBe(200);
    expect([...lenient.plants]).toEqual([{ id: 1, name }]);
  });

  it.each([5000, 1000 + 16 * 2 ** 20])(
    "answers 413 to a body of %i bytes, over the limit, without waiting for its end, and goes on with the connection",
    async (length) => {
      const connection = await RawConnection.open(mock.url);
      await connection.send(post("").replace("Content-Length: 0", `Content-Length: ${length}`));
      await connection.send(" ".repeat(1001));
      expect(parseReply(await connection.received(/\}$/))).toMatchObject({ status: 413 });
      await connection.send(" ".repeat(length - 1001));
      await connection.send(post(PLANT));
      expect(await connection.received(/Monstera/)).toContain("HTTP/1.1 200 OK");
      connection.cut();
    },
  );

  it("disconnects a client that keeps sending long after its 413", async () => {
    const connection = await RawConnection.open(mock.url);
    const announced = 100 * 2 ** 20;
    await connection.send(post("").replace("Content-Length: 0", `Content-Length: ${announced}`));
    expect(await sendUntilClosed(connection)).toBeLessThan(announced);
    expect((await connection.ended()).text).toContain("HTTP/1.1 413");
  });

  it("accepts an absolute URL as request target", async () => {
    const { text } = await exchange(mock.url, post(PLANT, CLOSE, "http://127.0.0.1/plants"));
    expect(parseReply(text).status).toBe(200);
    const health = await exchange(
      mock.url,
      "GET HTTP://localhost/_mock/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect(parseReply(health.text).status).toBe(200);
    const query = await exchange(mock.url, post(PLANT, CLOSE, "http://127.0.0.1?a=/b"));
    expect(parseReply(query.text).body).toContain("POST /?a=/b: must be POST /plants");
  });

  it("joins several headers of one name, those for the token, too", async () => {
    const headers = ["Authorization: Bearer other", "X-Word: a", "X-Word: b", ...CLOSE];
    const { text } = await exchange(mock.url, post(PLANT, headers));
    expect(text).toContain("Authorization: must be sent once");
    expect(mock.requests.last).toMatchObject({ status: 400, headers: { "x-word": "a, b" } });
  });

  it("sends 100 Continue to a client that expects it", async () => {
    const connection = await RawConnection.open(mock.url);
    const [head, body] = post(PLANT, ["Expect: 100-continue", ...CLOSE]).split(/(?<=\r\n\r\n)/) as [string, string];
    await connection.send(head);
    await connection.received(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    await connection.send(body);
    await connection.received(/HTTP\/1\.1 200 OK/);
    connection.cut();
  });

  it("is that of HTTP/1.0, too, for a client that sends no Host", async () => {
    const request = post(PLANT)
      .replace(/Host: .*\r\n/, "")
      .replace("HTTP/1.1", "HTTP/1.0");
    expect(parseReply((await exchange(mock.url, request)).text).status).toBe(200);
  });

  it.each([
    ["ends headers", "POST /plants HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    ["ends a body", post(PLANT).slice(0, -5)],
    ["sends anything", ""],
  ])("carries 408 to a client that never %s", async (_part, beginning) => {
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

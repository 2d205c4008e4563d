import { faults } from "plant-store-client/mock";
import { describe, expect, it } from "vitest";
import { exchange, PLANT, parseReply, post, RawConnection } from "./raw.ts";
import { sharedMock } from "./shared-mock.ts";

const mock = await sharedMock({ replies: { json: { status: 400 }, notFound: { status: 204 } } });

describe("on the socket", () => {
  it("networkError is a reset", async () => {
    mock.inject(faults.networkError());
    expect(await exchange(mock.url, post(PLANT))).toEqual({ text: "", code: "ECONNRESET" });
    expect(mock.plants.size).toBe(0);
  });

  it("lostResponse closes the connection without a response", async () => {
    mock.inject(faults.lostResponse());
    expect(await exchange(mock.url, post(PLANT))).toEqual({ text: "", code: undefined });
    expect(mock.plants.size).toBe(1);
  });

  it("truncatedBody announces the whole body, sends half of it, and ends", async () => {
    mock.inject(faults.truncatedBody());
    const { text, code } = await exchange(mock.url, post(PLANT));
    expect(parseReply(text)).toMatchObject({ status: 200, headers: { "content-length": "19" }, body: '{"name":"' });
    expect(code).toBeUndefined();
  });

  it("truncatedBody of an empty body announces a byte that never comes", async () => {
    mock.inject(faults.truncatedBody());
    const { text } = await exchange(mock.url, post("{"));
    expect(parseReply(text)).toMatchObject({ status: 400, headers: { "content-length": "1" }, body: "" });
  });

  it.each(["truncatedBody", "stalledBody"] as const)(
    "%s leaves a reply whole that has no body at all",
    async (type) => {
      mock.inject(faults[type]());
      const { text } = await exchange(mock.url, post(PLANT, ["Connection: close"], "/none"));
      expect(parseReply(text)).toMatchObject({ status: 204, body: "" });
      expect(text).not.toMatch(/content-length/i);
      mock.inject(faults[type]());
      const head = await exchange(mock.url, "HEAD /plants HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      expect(parseReply(head.text)).toMatchObject({ status: 405, body: "" });
    },
  );

  it("stalledBody stops halfway on an open connection, until a reset", async () => {
    mock.inject(faults.stalledBody());
    const connection = await RawConnection.open(mock.url);
    await connection.send(post(PLANT));
    expect(parseReply(await connection.received(/\{"name":"$/)).headers["content-length"]).toBe("19");
    mock.reset();
    expect((await connection.ended()).code).toBe("ECONNRESET");
  });

  it("a reset ends a request whose body stalls", async () => {
    const connection = await RawConnection.open(mock.url);
    await connection.send(post(PLANT, ["Expect: 100-continue"]).slice(0, -3));
    await connection.received(/^HTTP\/1\.1 100/);
    mock.reset();
    expect((await connection.ended()).code).toBe("ECONNRESET");
    expect([mock.requests.count, mock.plants.size]).toEqual([0, 0]);
  });

  it("a reset ends no request of another session", async () => {
    const session = mock.session();
    await exchange(mock.url, post(PLANT, ["Connection: close"]).replace("raw-token", session.token));
    const connection = await RawConnection.open(mock.url);
    const request = post(PLANT, ["Expect: 100-continue"]);
    await connection.send(request.slice(0, -3));
    await connection.received(/^HTTP\/1\.1 100/);
    session[Symbol.dispose]();
    await connection.send(request.slice(-3));
    await connection.received(/HTTP\/1\.1 200 /);
    connection.cut();
  });

  it("a reset by a control call leaves that call its response, on a connection that has served the session", async () => {
    const connection = await RawConnection.open(mock.url);
    await connection.send(post(PLANT));
    await connection.received(/Monstera/);
    await connection.send("POST /_mock/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    await connection.received(/204 No Content/);
    connection.cut();
  });
});

import { describe, expect, it } from "vitest";
import { exchange, PLANT, post, RawConnection } from "./raw.ts";
import { sharedMock } from "./shared-mock.ts";

const mock = await sharedMock();

const OTHER = post('{"id":2,"name":"Ficus"}');

describe("a request that arrives before the response to an earlier one of its connection", () => {
  it("is not processed, and the connection closes after that response", async () => {
    const { text, code } = await exchange(mock.url, post(PLANT) + OTHER);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n\r\n\{"name":"Monstera"\}$/);
    expect([code, [...mock.plants]]).toEqual([undefined, [{ id: 1, name: "Monstera" }]]);
  });

  it("waits with it at a gate", async () => {
    const gate = mock.hold();
    const connection = await RawConnection.open(mock.url);
    const ended = connection.endedPolitely();
    await connection.send(post(PLANT));
    await gate.arrived(1);
    await connection.send(OTHER);
    await connection.send(OTHER);
    gate.release();
    expect((await ended).text).toMatch(/Connection: close\r\n\r\n\{"name":"Monstera"\}$/);
    expect([mock.plants.size, mock.requests.count]).toEqual([1, 1]);
  });

  it("takes no memory, even with thousands of others", async () => {
    const { text } = await exchange(mock.url, post(PLANT).repeat(20_000));
    expect([text.match(/HTTP\/1\.1 200/g)?.length, mock.requests.count]).toEqual([1, 1]);
  });
});

it("a reset by a control call leaves that call its response, on a connection that has served the session", async () => {
  const connection = await RawConnection.open(mock.url);
  await connection.send(post(PLANT));
  await connection.received(/Monstera/);
  await connection.send("POST /_mock/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
  await connection.received(/204 No Content/);
  connection.cut();
});

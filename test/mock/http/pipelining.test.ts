import { faults } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openHttpAdapter } from "../../../mock/http/http-adapter.ts";
import { PLANT, post, RawConnection, untilRefused } from "./raw.ts";

let mock: HttpMockPlantStore;
beforeAll(async () => {
  mock = await startMockPlantStore();
});
afterEach(() => mock.reset());
afterAll(() => mock.close());

const CONNECT = "CONNECT example.test:443 HTTP/1.1\r\nHost: example.test:443\r\n\r\n";

/** The statuses on a connection, in their order. */
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

describe("of several requests on a connection, each waiting for the one before it", () => {
  it("all get a response before a server that shuts down closes the connection", async () => {
    const adapter = await openHttpAdapter({});
    const gate = adapter.mock.hold();
    const connection = await RawConnection.open(adapter.url);
    const ending = connection.endedPolitely();
    await connection.send(post(PLANT).repeat(2));
    await gate.arrived(2);
    const drained = adapter.drain();
    await untilRefused(adapter.url);
    await connection.send(post(PLANT));
    await gate.arrived(3);
    gate.release();
    const { text, code } = await ending;
    expect([statuses(text), text.match(/Connection: .*/g), code]).toEqual([
      ["200", "200", "200"],
      ["Connection: keep-alive", "Connection: keep-alive", "Connection: close"],
      undefined,
    ]);
    await drained;
  });

  it("none is stored if the client disconnects while they are held", async () => {
    const gate = mock.hold();
    const connection = await RawConnection.open(mock.url);
    await connection.send(post(PLANT).repeat(3));
    await gate.arrived(3);
    connection.cut();
    await expect.poll(() => mock.verify()).toBeUndefined();
    gate.release();
    await expect.poll(() => [...mock.requests].map(({ durationMs }) => typeof durationMs)).not.toContain("undefined");
    expect(mock.plants.size).toBe(0);
  });

  it.each(["networkError", "lostResponse", "truncatedBody"] as const)(
    "one that meets %s leaves the one before it its response",
    async (type) => {
      mock.inject(faults.delay(50), { when: { id: 1 } });
      mock.inject(faults[type](), { when: { id: 2 } });
      const connection = await RawConnection.open(mock.url);
      const ended = connection.endedPolitely();
      await connection.send(post(PLANT) + post('{"id":2,"name":"Ficus"}'));
      const { text } = await ended;
      expect([text.includes('{"name":"Monstera"}'), text.includes('{"name":"Ficus"}')]).toEqual([true, false]);
    },
  );

  it("a CONNECT is rejected after the response to the one before it", async () => {
    const gate = mock.hold();
    const connection = await RawConnection.open(mock.url);
    const ended = connection.endedPolitely();
    await connection.send(post(PLANT) + CONNECT);
    await gate.arrived(1);
    gate.release();
    const { text } = await ended;
    expect([statuses(text), mock.plants.size]).toEqual([["200", "400"], 1]);
  });
});

import { afterEach, expect, it, vi } from "vitest";
import { openHttpAdapter } from "../../../mock/http/http-adapter.ts";
import { PLANT, post, RawConnection, untilRefused } from "./raw.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("a server that shuts down waits five seconds for held requests, and no longer", async () => {
  const adapter = await openHttpAdapter({});
  const gate = adapter.mock.hold();
  const connection = await RawConnection.open(adapter.url);
  await connection.send(post(PLANT));
  await gate.arrived(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isOver = false;
  const drained = adapter.drain().then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await drained;
  expect(await connection.ended()).toEqual({ text: "", code: "ECONNRESET" });
});

it("a server that shuts down closes the connection of a held request with its response", async () => {
  const adapter = await openHttpAdapter({});
  const gate = adapter.mock.hold();
  const connection = await RawConnection.open(adapter.url);
  const ending = connection.endedPolitely();
  await connection.send(post(PLANT));
  await gate.arrived(1);
  const drained = adapter.drain();
  await untilRefused(adapter.url);
  gate.release();
  expect(await ending).toEqual({
    text: expect.stringMatching(/200 OK[\s\S]+\nConnection: close\r\n/),
    code: undefined,
  });
  await drained;
});

it("a server that shuts down serves connections that wait to be accepted", async () => {
  const adapter = await openHttpAdapter({});
  const connections = await Promise.all(Array.from({ length: 40 }, () => RawConnection.open(adapter.url)));
  await Promise.all(connections.map((connection) => connection.send(post(PLANT))));
  const endings = connections.map((connection) => connection.endedPolitely());
  await adapter.drain();
  for (const { text, code } of await Promise.all(endings)) {
    expect([text.slice(0, 15), code]).toEqual(["HTTP/1.1 200 OK", undefined]);
  }
});

it("a busy server that shuts down responds to requests that have arrived before it closes", async () => {
  const adapter = await openHttpAdapter({});
  const connection = await RawConnection.open(adapter.url);
  await connection.send(post(PLANT));
  await connection.received(/\}$/);
  const ending = connection.endedPolitely();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const drained = adapter.drain();
  await untilRefused(adapter.url);
  // The grace period and the limit of the whole: neither passes by itself, on a slow machine either.
  expect(vi.getTimerCount()).toBe(2);
  await new Promise((resolve) => setImmediate(resolve)); // Timers are next, before the sockets are read.
  const sent = connection.send(post(PLANT));
  vi.advanceTimersByTime(250);
  await Promise.all([sent, drained]);
  expect(await ending).toEqual({ text: expect.stringMatching(/200 OK[\s\S]+200 OK/), code: undefined });
});

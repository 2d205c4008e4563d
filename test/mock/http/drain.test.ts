import { afterEach, expect, it, vi } from "vitest";
import { openServer } from "../../../mock/http/start.ts";
import { PLANT, post, RawConnection, untilRefused } from "./raw.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("a server that shuts down waits five seconds for held requests, and no longer", async () => {
  const server = await openServer({});
  const gate = server.mock.hold();
  const connection = await RawConnection.open(server.url);
  await connection.send(post(PLANT));
  await gate.arrived(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isOver = false;
  const drained = server.drain().then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await drained;
  expect(await connection.ended()).toEqual({ text: "", code: "ECONNRESET" });
});

it("a server that shuts down closes the connection of a held request with its response", async () => {
  const server = await openServer({});
  const gate = server.mock.hold();
  const connection = await RawConnection.open(server.url);
  const ending = connection.endedPolitely();
  await connection.send(post(PLANT));
  await gate.arrived(1);
  const drained = server.drain();
  await untilRefused(server.url);
  gate.release();
  expect(await ending).toEqual({
    text: expect.stringMatching(/200 OK[\s\S]+\nConnection: close\r\n/),
    code: undefined,
  });
  await drained;
});

it("a server that shuts down does not wait for connections that are idle, or have sent nothing", async () => {
  const server = await openServer({});
  const connections = [await RawConnection.open(server.url), await RawConnection.open(server.url)];
  await connections[0]?.send(post(PLANT));
  await connections[0]?.received(/\}$/);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await Promise.all([server.drain(), ...connections.map((connection) => connection.endedPolitely())]);
});

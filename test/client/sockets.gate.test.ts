import type { Socket } from "node:net";
import { PlantStoreClient } from "plant-store-client";
import { createUndiciFetch } from "plant-store-client/undici";
import { afterEach, describe, expect, test } from "vitest";
import { PLANT, type Post, reply, ScriptedServer } from "./faults/server.ts";
import { TestClock } from "./fixtures/test-clock.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A service that keeps account of its sockets, and a client of it. */
async function setUp(transport: string, posted: (post: Post) => void) {
  const open = new Set<Socket>();
  const all = new Set<Socket>();
  const closed: Promise<void>[] = [];
  const server = await ScriptedServer.start({
    posted: (post) => {
      const { socket } = post;
      if (!all.has(socket)) {
        closed.push(new Promise((resolve) => socket.once("close", () => resolve(void open.delete(socket)))));
        open.add(socket);
        all.add(socket);
      }
      posted(post);
    },
  });
  cleanups.push(() => server.close());
  const options = {
    baseUrl: `http://127.0.0.1:${server.port}`,
    token: "secret",
    maxResponseBytes: 1000,
    timeoutMs: 9_000,
  };
  const clock = new TestClock();
  if (transport === "fetch")
    return { client: new PlantStoreClient({ ...options, clock }), clock, server, open, all, closed };
  const fetch = createUndiciFetch();
  cleanups.push(() => fetch.close());
  return { client: new PlantStoreClient({ ...options, fetch, clock }), clock, server, open, all, closed };
}

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

/** Responses that are complete, with any result of the call. */
const whole: ((socket: Socket) => void)[] = [
  (socket) => reply(socket, "200 OK", PLANT),
  (socket) => reply(socket, "200 OK", ""),
  (socket) => reply(socket, "200 OK", "<!doctype html>", "Content-Type: text/html"),
  (socket) => reply(socket, "200 OK", '{"id":1}'),
  (socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n"),
  (socket) => socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  (socket) => reply(socket, "307 Temporary Redirect", "moved", "Location: /elsewhere"),
  (socket) => reply(socket, "400 Bad Request", '{"error":1,"message":"no"}'),
  (socket) => reply(socket, "502 Bad Gateway", "<!doctype html>", "Content-Type: text/html"),
];

/** Replies that the client leaves before their end. */
const unfinished: [name: string, reply: (socket: Socket) => void][] = [
  ["stalled before the reply", () => {}],
  ["stalled within the body", (socket) => socket.write(`${HEAD}Content-Length: 99\r\n\r\n{`)],
  ["too large", (socket) => reply(socket, "200 OK", JSON.stringify({ name: "x".repeat(2 ** 20) }))],
  ["too large, and an error", (socket) => reply(socket, "500 Oh", "x".repeat(2 ** 20))],
];

describe.each(["fetch", "undici"])("by %s", (transport) => {
  test("every complete response leaves its connection to the next call", async () => {
    const { client, open, all } = await setUp(transport, ({ number, socket }) => whole[number - 1]?.(socket));
    const kinds: string[] = [];
    for (const id of whole.keys()) {
      const result = await client.tryCreatePlant({ id, name: "Fern" });
      kinds.push(result.ok ? "ok" : result.error.kind);
    }
    expect(kinds).toEqual(["ok", ...Array(6).fill("response"), "api", "response"]);
    // Undici's pool has not always drained the first connection when the next call comes, and opens a second.
    expect(all.size).toBeLessThanOrEqual(2);
    expect(open.size).toBe(all.size);
  });

  test.each(unfinished)("a response that is %s closes its connection", async (_name, answer) => {
    const { client, clock, server, open, all, closed } = await setUp(transport, ({ socket }) => answer(socket));
    const calls = Array.from({ length: 10 }, (_, id) => client.tryCreatePlant({ id, name: "Fern" }));
    await expect.poll(() => server.posts).toBe(10);
    await clock.advance(9_000); // The deadline.
    const outcomes = (await Promise.all(calls)).map((result) => result.ok || result.error.outcome);
    expect(outcomes).toEqual(Array(10).fill("unknown"));
    await Promise.all(closed);
    expect([all.size, open.size]).toEqual([10, 0]);
  });
});

import type { Socket } from "node:net";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { createUndiciFetch } from "plant-store-client/undici";
import { Agent, type Dispatcher, MockAgent } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import { type Behaviour, PLANT, type Post, reply, ScriptedServer } from "./faults/server.ts";

const FERN = { id: 7, name: "Fern" };
const answer = ({ socket }: Post) => reply(socket, "200 OK", PLANT);

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Settles when a socket is closed, by an error or not. */
const closeOf = (socket: Socket) => new Promise((resolve) => socket.once("close", resolve));

/** A service, and a client that reaches it through undici's `request`. */
async function setUp(behaviour: Behaviour, options?: Parameters<typeof createUndiciFetch>[0]) {
  const server = await ScriptedServer.start(behaviour);
  const fetch = createUndiciFetch(options);
  cleanups.push(
    () => fetch.close(),
    () => server.close(),
  );
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return { server, fetch, baseUrl, client: new PlantStoreClient({ baseUrl, token: "secret", fetch }) };
}

/** Posts as they arrive, in order. */
function inbox() {
  const posts: Post[] = [];
  let wake = () => {};
  return {
    posts,
    posted: (post: Post) => {
      posts.push(post);
      wake();
    },
    async arrived(count: number): Promise<void> {
      while (posts.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

describe("createUndiciFetch", () => {
  test("sends what the global fetch sends, and asks for no compression", async () => {
    let request = "";
    const { client } = await setUp({
      connected: (socket) => {
        socket.setEncoding("utf8").on("data", (text: string) => {
          request += text;
          if (request.endsWith("}")) reply(socket, "200 OK", PLANT);
        });
      },
    });
    expect(await client.createPlant({ id: 9223372036854775807n, name: "Fern" })).toEqual({
      name: "Fern",
      tag: "indoor",
    });
    const [head = "", body] = request.split("\r\n\r\n");
    expect(head.split("\r\n")[0]).toBe("POST /plants HTTP/1.1");
    const lines = head.toLowerCase().split("\r\n");
    expect(lines).toContain("authorization: bearer secret");
    expect(lines).toContain("content-type: application/json");
    expect(lines).toContain("accept-encoding: identity");
    expect(lines.find((line) => line.startsWith("user-agent: "))).toMatch(/^user-agent: plant-store-client\//);
    expect(body).toBe('{"id":9223372036854775807,"name":"Fern"}');
  });

  test("opens no more sockets than connections, and has one request under way on each", async () => {
    const sockets = new Set<Socket>();
    const mail = inbox();
    const posted = (post: Post) => {
      sockets.add(post.socket);
      mail.posted(post);
    };
    const { client, server } = await setUp({ posted }, { connections: 2 });
    const plants = [1, 2, 3, 4].map((id) => client.createPlant({ id, name: "Fern" }));
    for (let answered = 0; answered < 4; answered++) {
      await mail.arrived(Math.min(4, answered + 2));
      expect(server.posts).toBe(Math.min(4, answered + 2));
      answer(mail.posts[answered] as Post);
    }
    expect(await Promise.all(plants)).toHaveLength(4);
    expect(sockets.size).toBe(2);
  });

  test("close waits for the request under way, and ends the connections; a second one does no harm", async () => {
    const mail = inbox();
    const { client, fetch } = await setUp(mail);
    const plant = client.createPlant(FERN);
    await mail.arrived(1);
    const closing = fetch.close();
    const socket = (mail.posts[0] as Post).socket;
    const ended = closeOf(socket);
    answer(mail.posts[0] as Post);
    await expect(plant).resolves.toEqual({ name: "Fern", tag: "indoor" });
    await closing;
    await ended;
    await fetch.close();
    expect(await client.tryCreatePlant(FERN)).toMatchObject({
      error: { kind: "connection", outcome: "not-sent", attempts: [{ code: "UND_ERR_CLOSED" }] },
    });
  });

  test("ends the connection of a body without end, once more than maxResponseBytes of it are read", async () => {
    let written = 0;
    let closed: Promise<unknown> = Promise.resolve();
    const { baseUrl, fetch } = await setUp({
      posted: ({ socket }) => {
        closed = closeOf(socket);
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
        const pour = () => {
          do written += 0x10000;
          while (!socket.destroyed && socket.write(`10000\r\n${"x".repeat(0x10000)}\r\n`));
        };
        socket.on("drain", pour);
        pour();
      },
    });
    const client = new PlantStoreClient({ baseUrl, token: "secret", fetch, maxResponseBytes: 1000 });
    expect(await client.tryCreatePlant(FERN)).toMatchObject({
      error: { kind: "response", reason: "too-large", outcome: "unknown" },
    });
    await closed;
    expect(written).toBeLessThan(32 * 2 ** 20); // what the two kernel buffers hold
  });

  test("a reply that comes after the end of its call is not left unread on its socket", async () => {
    const mail = inbox();
    const { baseUrl, fetch } = await setUp(mail);
    const controller = new AbortController();
    const deaf = (url: string, init: RequestInit) => fetch(url, { ...init, signal: null });
    const client = new PlantStoreClient({ baseUrl, token: "secret", fetch: deaf });
    const call = client.tryCreatePlant(FERN, { signal: controller.signal });
    await mail.arrived(1);
    controller.abort();
    expect(await call).toMatchObject({ error: { kind: "aborted", outcome: "unknown" } });
    const { socket } = mail.posts[0] as Post;
    const closed = closeOf(socket);
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
    await closed;
  });

  test("the client's deadline is the only one: undici's own are off", async () => {
    const seen: Dispatcher.DispatchOptions[] = [];
    const agent = new Agent().compose((dispatch) => (options, handler) => {
      seen.push(options);
      return dispatch(options, handler);
    });
    cleanups.push(() => agent.close());
    const { client } = await setUp({ posted: answer }, { dispatcher: agent });
    await client.createPlant(FERN);
    expect(seen).toMatchObject([{ headersTimeout: 0, bodyTimeout: 0 }]);
  });
});

describe("code that uses createUndiciFetch is tested", () => {
  const baseUrl = "http://plants.test";

  test("with the mock's own fetch in its place", async () => {
    using mock = createMockPlantStore();
    const client = new PlantStoreClient(mock.clientOptions);
    await client.createPlant(FERN);
    expect([...mock.plants]).toEqual([FERN]);
  });

  test("with the HTTP form of the mock, through undici itself", async () => {
    await using mock = await startMockPlantStore();
    const fetch = createUndiciFetch();
    cleanups.push(() => fetch.close());
    const client = new PlantStoreClient({ ...mock.clientOptions, fetch });
    await client.createPlant(FERN);
    expect([...mock.plants]).toEqual([FERN]);
  });

  test("with undici's MockAgent as the dispatcher, which close leaves open", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    cleanups.push(() => agent.close());
    const pool = agent.get(baseUrl);
    pool
      .intercept({ path: "/plants", method: "POST" })
      .reply(200, PLANT, { headers: { "content-type": "application/json" } })
      .times(2);
    const fetch = createUndiciFetch({ dispatcher: agent });
    const client = new PlantStoreClient({ baseUrl, token: "secret", fetch });
    expect(await client.createPlant(FERN)).toEqual({ name: "Fern", tag: "indoor" });
    await fetch.close();
    expect(await client.createPlant(FERN)).toEqual({ name: "Fern", tag: "indoor" });
    expect(agent.pendingInterceptors()).toEqual([]);
  });

  test("not with MSW 2, which does not see it: the request leaves for the real service", async () => {
    const { client, server, baseUrl } = await setUp({ posted: answer });
    const msw = setupServer(http.post(`${baseUrl}/plants`, () => HttpResponse.json({ name: "Intercepted" })));
    msw.listen();
    cleanups.push(async () => msw.close());
    expect(await client.createPlant(FERN)).toEqual({ name: "Fern", tag: "indoor" });
    expect(server.posts).toBe(1);
    const global = new PlantStoreClient({ baseUrl, token: "secret" });
    expect(await global.createPlant(FERN)).toEqual({ name: "Intercepted" });
  });
});

import type { Socket } from "node:net";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { createUndiciFetch } from "plant-store-client/undici";
import { Agent, type Dispatcher, MockAgent } from "undici";
import { describe, expect, test } from "vitest";
import { PLANT, type Post, reply } from "./faults/server.ts";
import { answer, closeOf, FERN, inbox, useServices } from "./fixtures/undici.ts";

const { setUp, cleanups } = useServices();

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
      error: {
        kind: "connection",
        outcome: "not-sent",
        attempts: [{ code: "UND_ERR_CLOSED" }],
        cause: { message: "This fetch was closed; create another with createUndiciFetch" },
      },
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

  test("keeps the connection where all of a body is here that is too long", async () => {
    const sockets = new Set<Socket>();
    const posted = ({ socket }: Post) => {
      sockets.add(socket);
      reply(socket, "200 OK", JSON.stringify({ name: "x".repeat(2000) }));
    };
    const { baseUrl, fetch } = await setUp({ posted }, { connections: 1 });
    const client = new PlantStoreClient({ baseUrl, token: "secret", fetch, maxResponseBytes: 1000 });
    for (let call = 0; call < 2; call++) {
      expect(await client.tryCreatePlant(FERN)).toMatchObject({ error: { kind: "response", reason: "too-large" } });
    }
    expect(sockets.size).toBe(1);
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

describe("the options of createUndiciFetch", () => {
  test.each([
    [{ pipelining: 2 }, "pipelining", 'unknown option "pipelining"; known options: connections, dispatcher'],
    [{ conections: 2 }, "conections", 'unknown option "conections"; did you mean "connections"?'],
    [{ connections: 0 }, "connections", "connections must be an integer from 1 to 9007199254740991"],
    [{ dispatcher: {} }, "dispatcher", "dispatcher must be a Dispatcher of undici"],
    [{ dispatcher: null }, "dispatcher", "dispatcher must be a Dispatcher of undici"],
  ])("%o are refused", (options, option, message) => {
    const create = () => createUndiciFetch(options as Parameters<typeof createUndiciFetch>[0]);
    expect(create).toThrow(
      expect.objectContaining({ kind: "config", option, message: expect.stringContaining(message) }),
    );
  });

  test("that are undefined are absent", async () => {
    const { client } = await setUp({ posted: answer }, { connections: undefined, dispatcher: undefined });
    expect(await client.createPlant(FERN)).toEqual({ name: "Fern", tag: "indoor" });
  });
});

describe("code that uses createUndiciFetch is tested", () => {
  const baseUrl = "https://plants.test";

  test("with the mock's own fetch in its place", async () => {
    using mock = createMockPlantStore();
    const client = new PlantStoreClient(mock.clientOptions);
    await client.createPlant(FERN);
    expect([...mock.plants]).toEqual([FERN]);
  });

  test("with the HTTP adapter of the mock, through undici itself", async () => {
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

test("createUndiciFetch refuses a runtime whose own undici has an Agent without dispatch, as Bun's", () => {
  Object.defineProperty(Agent.prototype, "dispatch", { value: undefined, configurable: true });
  cleanups.push(async () => void Reflect.deleteProperty(Agent.prototype, "dispatch"));
  const message =
    "dispatcher cannot be created, because this runtime replaces undici by its own (as Bun does): use the global fetch";
  expect(() => createUndiciFetch()).toThrow(expect.objectContaining({ kind: "config", option: "dispatcher", message }));
});

describe("createUndiciFetch, aborted", () => {
  test("sends nothing of a request that waited for a socket", async () => {
    const mail = inbox();
    const { client, server } = await setUp(mail, { connections: 1 });
    const first = client.createPlant(FERN);
    await mail.arrived(1);
    const controller = new AbortController();
    const second = client.tryCreatePlant(FERN, { signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    expect(await second).toMatchObject({ error: { kind: "aborted" } });
    answer(mail.posts[0] as Post);
    await first;
    const third = client.createPlant(FERN);
    await mail.arrived(2);
    answer(mail.posts[1] as Post);
    await third;
    expect(server.posts).toBe(2);
  });

  test("rejects at once with the reason if the signal is already aborted", async () => {
    const { fetch, server, baseUrl } = await setUp({ posted: answer });
    const reason = new Error("too late");
    await expect(fetch(`${baseUrl}/plants`, { method: "POST", signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(server.posts).toBe(0);
  });
});

import { getEventListeners } from "node:events";
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
import { flush } from "./fixtures/test-clock.ts";

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

function fail(): never {
  throw new Error("the signal is broken");
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
      error: {
        kind: "connection",
        outcome: "not-sent",
        attempts: [{ code: "UND_ERR_CLOSED" }],
        cause: { message: "createUndiciFetch was closed before this request" },
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
    [{ pipelining: 2 }, "pipelining", 'unknown option "pipelining"; known options: connections, http2, dispatcher'],
    [{ conections: 2 }, "conections", 'unknown option "conections"; did you mean "connections"?'],
    [{ connections: 0 }, "connections", "connections must be an integer from 1 to 9007199254740991"],
    [{ http2: "yes" }, "http2", "http2 must be true or false"],
    [{ dispatcher: {} }, "dispatcher", "dispatcher must be a Dispatcher of undici"],
    [{ dispatcher: null }, "dispatcher", "dispatcher must be a Dispatcher of undici"],
    [{ http2: true, dispatcher: new MockAgent() }, "http2", "http2 has no effect on your own dispatcher"],
    [{ http2: true }, "http2", "http2 needs undici 8.12 or a later 8.x, on Node 22.19 or later"],
  ])("%o are refused", (options, option, message) => {
    const create = () => createUndiciFetch(options as Parameters<typeof createUndiciFetch>[0]);
    expect(create).toThrow(
      expect.objectContaining({ kind: "config", option, message: expect.stringContaining(message) }),
    );
  });

  test("that are undefined are absent", async () => {
    const { client } = await setUp(
      { posted: answer },
      { connections: undefined, http2: undefined, dispatcher: undefined },
    );
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

type Handler = Dispatcher.DispatchHandler;
type ReplyHeaders = Parameters<NonNullable<Handler["onResponseStart"]>>[2];

/** An Agent that calls a handler which stands before the one it is given. */
function agentWith(before: (handler: Handler) => Handler): Dispatcher {
  const agent = new Agent().compose((dispatch) => (options, handler) => dispatch(options, before(handler)));
  cleanups.push(() => agent.close());
  return agent;
}

/** An Agent that changes the headers of replies with `change`. */
function withReplyHeaders(change: (headers: ReplyHeaders) => ReplyHeaders): Dispatcher {
  return agentWith((handler) => ({
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart: (controller, status, headers) => handler.onResponseStart?.(controller, status, change(headers)),
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  }));
}

/** An Agent that calls what that of undici 6 calls. */
function likeUndici6(): Dispatcher {
  return agentWith((handler) => ({
    onRequestStart: (controller) => handler.onConnect?.((reason) => controller.abort(reason as Error)),
    onResponseStart: (controller, status, headers, text = "") => {
      const pairs = Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((each) => [name, each]),
      );
      const raw = pairs.flat().map((each) => Buffer.from(each, "latin1"));
      if (handler.onHeaders?.(status, raw, () => {}, text) === false) controller.pause();
    },
    onResponseData: (controller, chunk) => {
      if (handler.onData?.(chunk) === false) controller.pause();
    },
    onResponseEnd: () => handler.onComplete?.([]),
    onResponseError: (_controller, error) => handler.onError?.(error),
  }));
}

describe.each([
  ["7 and 8", () => agentWith((handler) => handler)],
  ["6", likeUndici6],
])("a dispatcher that speaks as undici %s do", (_versions, createDispatcher) => {
  const setUpThrough = (behaviour: Behaviour) => setUp(behaviour, { dispatcher: createDispatcher() });

  test("gives the response after any interim ones, and its body as it arrives", async () => {
    const { client } = await setUpThrough({
      posted: async ({ socket }) => {
        const parts = [
          "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n",
          'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\nX-A: 1\r\n\r\n{"na',
          'me":"Fern"}',
        ];
        for (const part of parts) {
          socket.write(part);
          await flush();
        }
      },
    });
    const result = await client.tryCreatePlant(FERN);
    expect(result).toMatchObject({ ok: true, status: 200, plant: { name: "Fern" } });
    expect(result.ok && Object.fromEntries(result.headers)).toEqual({
      "content-length": "15",
      "content-type": "application/json",
      "x-a": "1",
    });
  });

  test("brings the end of a body that comes after all of its text", async () => {
    const { client } = await setUpThrough({
      posted: async ({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nf\r\n{"name":"Fern"}\r\n');
        await flush();
        socket.write("0\r\n\r\n");
      },
    });
    expect(await client.createPlant(FERN)).toEqual({ name: "Fern" });
  });

  test("brings the end of a connection, before the reply and within its body", async () => {
    const { client } = await setUpThrough({
      posted: ({ number, socket }) =>
        number === 1
          ? socket.destroy()
          : socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"na'),
    });
    const broken = { error: { kind: "connection", outcome: "unknown", attempts: [{ code: "UND_ERR_SOCKET" }] } };
    expect(await client.tryCreatePlant(FERN)).toMatchObject(broken);
    expect(await client.tryCreatePlant(FERN)).toMatchObject(broken);
  });

  test("closes the connection at an abort", async () => {
    const mail = inbox();
    const { client } = await setUpThrough(mail);
    const controller = new AbortController();
    const call = client.tryCreatePlant(FERN, { signal: controller.signal });
    await mail.arrived(1);
    const closed = closeOf((mail.posts[0] as Post).socket);
    controller.abort();
    expect(await call).toMatchObject({ error: { kind: "aborted", outcome: "unknown" } });
    await closed;
  });
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

describe("what createUndiciFetch resolves to", () => {
  const begin = ({ socket }: Post) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{");

  /** A request that the service has, and has not answered. */
  async function underWay() {
    const mail = inbox();
    const { fetch, baseUrl } = await setUp(mail);
    const controller = new AbortController();
    const reply = fetch(`${baseUrl}/plants`, { method: "POST", body: "{}", signal: controller.signal });
    await mail.arrived(1);
    return { reply, post: mail.posts[0] as Post, controller };
  }

  test("fails with the reason of an abort, and goes on to do so", async () => {
    const { reply, post, controller } = await underWay();
    begin(post);
    const reader = ((await reply).body as ReadableStream<Uint8Array>).getReader();
    expect(await reader.read()).toMatchObject({ done: false });
    const closed = closeOf(post.socket);
    const reason = new Error("the user left");
    controller.abort(reason);
    await expect(reader.read()).rejects.toBe(reason);
    await closed;
    await expect(reader.read()).rejects.toBe(reason);
  });

  test("rejects with the reason if the abort precedes the response", async () => {
    const { reply, controller } = await underWay();
    const reason = new Error("the user left");
    controller.abort(reason);
    await expect(reply).rejects.toBe(reason);
  });

  test("is not read after it was cancelled", async () => {
    const { fetch, baseUrl } = await setUp({ posted: begin });
    const { body } = await fetch(`${baseUrl}/plants`, { method: "POST", body: "{}" });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    await expect(reader.read()).rejects.toThrow("The body was cancelled");
  });

  test.each<[string, PropertyDescriptor]>([
    ["addEventListener", { value: fail }],
    ["removeEventListener", { value: fail }],
    ["aborted", { get: fail }],
    ["reason", { get: fail }],
  ])("ends, and harms nobody, if the signal's %s throws", async (member, descriptor) => {
    const mail = inbox();
    const { fetch, baseUrl } = await setUp(mail);
    const controller = new AbortController();
    Object.defineProperty(controller.signal, member, descriptor);
    const sent = fetch(`${baseUrl}/plants`, { method: "POST", body: "{}", signal: controller.signal });
    const ended = sent.then(
      () => undefined,
      (error) => error,
    );
    const isSent = /remove|reason/.test(member);
    if (isSent) await mail.arrived(1);
    controller.abort(new Error("the user left"));
    expect((await ended)?.message).toBe(member === "removeEventListener" ? "the user left" : "the signal is broken");
    const next = fetch(`${baseUrl}/plants`, { method: "POST", body: "{}" });
    await mail.arrived(isSent ? 2 : 1);
    answer(mail.posts.at(-1) as Post);
    expect((await next).status).toBe(200);
  });

  test("leaves no listener on the signal behind", async () => {
    const { fetch, baseUrl } = await setUp({ posted: answer });
    const { signal } = new AbortController();
    const { body } = await fetch(`${baseUrl}/plants`, { method: "POST", body: "{}", signal });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    while (!(await reader.read()).done);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

describe("headers through createUndiciFetch", () => {
  const place = Buffer.from("Beet 💚").toString("latin1");
  const answerWithHeaders = ({ socket }: Post) => {
    socket.setDefaultEncoding("latin1");
    reply(
      socket,
      "200 OK",
      PLANT,
      `X-Place: ${place}`,
      "X-Twice: 1",
      "Set-Cookie: a=1",
      "X-Twice: 2",
      "Set-Cookie: b=2",
    );
  };
  async function headersBy(client: PlantStoreClient): Promise<[string, string][]> {
    const result = await client.tryCreatePlant(FERN);
    if (!result.ok) throw result.error;
    return [...result.headers];
  }

  test("of a reply are those of the global fetch, repeated ones and bytes beyond ASCII included", async () => {
    const { client, baseUrl } = await setUp({ posted: answerWithHeaders });
    const headers = await headersBy(client);
    expect(headers).toEqual(
      expect.arrayContaining([
        ["x-place", place],
        ["x-twice", "1, 2"],
        ["set-cookie", "b=2"],
      ]),
    );
    expect(headers).toEqual(await headersBy(new PlantStoreClient({ baseUrl, token: "secret" })));
  });

  test("of a reply are the same if the dispatcher reads them as UTF-8, as early versions of undici 7 do", async () => {
    const utf8 = (value: string) => Buffer.from(value, "latin1").toString("utf8");
    const dispatcher = withReplyHeaders((headers) => ({ ...headers, "x-place": utf8(headers["x-place"] as string) }));
    const { client } = await setUp({ posted: answerWithHeaders }, { dispatcher });
    expect(await headersBy(client)).toContainEqual(["x-place", place]);
  });

  test("of a reply that the dispatcher takes away are absent", async () => {
    const dispatcher = withReplyHeaders((headers) => ({ ...headers, "set-cookie": undefined }));
    const { client } = await setUp({ posted: answerWithHeaders }, { dispatcher });
    const names = (await headersBy(client)).map(([name]) => name);
    expect(names).toContain("x-twice");
    expect(names).not.toContain("set-cookie");
  });

  test.each([
    ["one", "a fixed text Bearer secret"],
    ["a repeated one", ["a", "Bearer secret"]],
  ])("of a reply lose the token, in %s", async (_which, echo) => {
    const dispatcher = withReplyHeaders((headers) => ({ ...headers, "x-echo": echo }));
    const { client } = await setUp({ posted: answer }, { dispatcher });
    const pairs = await headersBy(client);
    expect(pairs.map(([name]) => name)).toContain("x-echo");
    expect(`${pairs}`).toContain("Bearer [redacted]");
    expect(`${pairs}`).not.toContain("secret");
  });

  test("of a reply that Headers refuses, from the application's own dispatcher, are left out", async () => {
    const dispatcher = withReplyHeaders((headers) => ({
      ...headers,
      "x wrong": "1",
      "x-wrong": "a\nb",
      "x-right": "1",
    }));
    const { client } = await setUp({ posted: answer }, { dispatcher });
    const names = (await headersBy(client)).map(([name]) => name);
    expect(names).toContain("x-right");
    expect(names.filter((name) => name.includes("wrong"))).toEqual([]);
  });

  test("of a reply may have capitals, from the application's own dispatcher: the media type counts", async () => {
    const dispatcher = withReplyHeaders(() => ({ "Content-Type": "text/html" }));
    const { client } = await setUp({ posted: answer }, { dispatcher });
    await expect(client.createPlant(FERN)).rejects.toMatchObject({ kind: "response", reason: "media-type" });
  });

  test("of a reply may be longer than a function can have arguments, from undici 6 too", async () => {
    const long = "a".repeat(500_000);
    const dispatcher = {
      dispatch(_options: object, handler: Dispatcher.DispatchHandler) {
        handler.onConnect?.(() => {});
        const headers = ["content-type", "application/json", "x-long", long].map((text) => Buffer.from(text));
        handler.onHeaders?.(200, headers, () => {}, "OK");
        handler.onData?.(Buffer.from(PLANT));
        handler.onComplete?.([]);
        return true;
      },
    } as unknown as Dispatcher;
    const fetch = createUndiciFetch({ dispatcher });
    const client = new PlantStoreClient({ baseUrl: "http://plants.localhost", token: "secret", fetch });
    expect(await headersBy(client)).toContainEqual(["x-long", long]);
  });

  test.each([
    ["a plain object", (headers: HeadersInit) => headers],
    ["a Headers", (headers: HeadersInit) => new Headers(headers)],
    ["pairs", (headers: HeadersInit) => [...new Headers(headers)] as [string, string][]],
  ])("of a request may be %s, where another fetch stands before it", async (_form, change) => {
    let sent = "";
    const { baseUrl, fetch } = await setUp({
      connected: (socket) => {
        socket.setEncoding("utf8").on("data", (text: string) => {
          sent += text;
          if (sent.endsWith("}")) reply(socket, "200 OK", PLANT);
        });
      },
    });
    const around = (url: string, init: RequestInit) => fetch(url, { ...init, headers: change(init.headers ?? {}) });
    const client = new PlantStoreClient({ baseUrl, token: "secret", fetch: around });
    await client.createPlant(FERN, { headers: { "Accept-Encoding": "gzip" } });
    const lines = sent.split("\r\n");
    expect(lines).toEqual(expect.arrayContaining(["authorization: Bearer secret", "content-type: application/json"]));
    // It does not decompress.
    expect(lines.filter((line) => line.startsWith("accept-encoding"))).toEqual(["accept-encoding: identity"]);
  });
});

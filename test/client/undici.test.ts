import { PlantStoreClient } from "plant-store-client";
import { createUndiciFetch } from "plant-store-client/undici";
import { Agent, type Dispatcher, MockAgent } from "undici";
import { describe, expect, test } from "vitest";
import { INT64_MAX } from "../int64-values.ts";
import { PLANT, type Post } from "./faults/server.ts";
import { answer, closeOf, FERN, inbox, useServices } from "./fixtures/undici.ts";

const { setUp, setUpReading, cleanups } = useServices();

describe("createUndiciFetch", () => {
  test("sends what the global fetch sends, and asks for no compression", async () => {
    const { client, requests } = await setUpReading();
    await client.createPlant({ id: INT64_MAX, name: "Fern" });
    const [head = "", body] = requests.join("").split("\r\n\r\n");
    const lines = head.toLowerCase().split("\r\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "post /plants http/1.1",
        "authorization: bearer secret",
        "content-type: application/json",
        "accept-encoding: identity",
        expect.stringMatching(/^user-agent: plant-store-client\//),
      ]),
    );
    expect(body).toBe('{"id":9223372036854775807,"name":"Fern"}');
  });

  test("opens no more sockets than connections", async () => {
    const mail = inbox();
    const { client } = await setUp(mail, { connections: 1 });
    const plants = [1, 2].map((id) => client.createPlant({ id, name: "Fern" }));
    for (const index of [0, 1]) {
      await mail.arrived(index + 1);
      answer(mail.posts[index] as Post);
    }
    await Promise.all(plants);
    expect(mail.posts[1]?.socket).toBe(mail.posts[0]?.socket);
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
    expect(await client.tryCreatePlant(FERN, { maxRetries: 0 })).toMatchObject({
      error: {
        kind: "connection",
        outcome: "not-sent",
        attempts: [{ code: "UND_ERR_DESTROYED" }],
      },
    });
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

  test("through a dispatcher of the application's own: without undici's deadlines, and with a body that it never repeats", async () => {
    const seen: Dispatcher.DispatchOptions[] = [];
    const agent = new Agent().compose((dispatch) => (options, handler) => {
      seen.push(options);
      return dispatch(options, handler);
    });
    cleanups.push(() => agent.close());
    const { client } = await setUp({ posted: answer }, { dispatcher: agent });
    await client.createPlant(FERN);
    // Over HTTP/2, undici 8 sends a request again by itself if its body is a string, and not if it is an iterable.
    expect(seen).toMatchObject([{ headersTimeout: 0, bodyTimeout: 0, body: ['{"id":7,"name":"Fern"}'] }]);
    expect(seen[0]?.headers).toEqual(expect.arrayContaining(["content-length", "22"]));
  });
});

describe("the options of createUndiciFetch", () => {
  test.each([
    [{ http2: true }, "http2", 'unknown option "http2"; known options: connections, dispatcher'],
    [{ connections: 0 }, "connections", "connections must be an integer from 1 to 9007199254740991"],
    [{ dispatcher: {} }, "dispatcher", "dispatcher must be a Dispatcher of undici"],
    [{ dispatcher: null }, "dispatcher", "dispatcher must be a Dispatcher of undici"],
  ])("%o are refused", (options, option, message) => {
    const create = () => createUndiciFetch(options as Parameters<typeof createUndiciFetch>[0]);
    expect(create).toThrow(
      expect.objectContaining({ kind: "config", option, message: expect.stringContaining(message) }),
    );
  });
});

describe("code that uses createUndiciFetch is tested", () => {
  const baseUrl = "https://plants.test";

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
});

test("createUndiciFetch refuses a runtime whose own undici has an Agent without dispatch, as Bun's", () => {
  cleanups.push(async () => void Reflect.deleteProperty(Agent.prototype, "dispatch"));
  Object.defineProperty(Agent.prototype, "dispatch", { value: undefined, configurable: true });
  const error = {
    kind: "config",
    option: "dispatcher",
    message: "dispatcher cannot be created in this runtime: use the global fetch",
  };
  expect(() => createUndiciFetch()).toThrow(expect.objectContaining(error));
});

test("createUndiciFetch rejects at once with the reason if the signal is already aborted", async () => {
  const { fetch, server, baseUrl } = await setUp({ posted: answer });
  const sent = fetch(`${baseUrl}/plants`, { method: "POST", signal: AbortSignal.abort("too late") });
  await expect(sent).rejects.toBe("too late");
  expect(server.posts).toBe(0);
});

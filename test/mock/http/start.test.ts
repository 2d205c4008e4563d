import { once } from "node:events";
import http from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { afterEach, describe, expect, it } from "vitest";
import { mustBe } from "../../rules-in-words.ts";
import { post } from "./post.ts";
import { exchange, PLANT, parseReply, RawConnection, post as rawPost } from "./raw.ts";

type Started = Awaited<ReturnType<typeof startMockPlantStore>>;

/** As axios, got and superagent send: with the default agent, which keeps connections open. */
async function sendPooled({ baseUrl, token }: Started): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const request = http.request(`${baseUrl}/plants`, { method: "POST", headers }).end('{"id":1,"name":"x"}');
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  await once(response.resume(), "end");
  return response.statusCode;
}

const open: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(open.splice(0).map((mock) => mock.close())));

async function start(options?: Parameters<typeof startMockPlantStore>[0]) {
  const mock = await startMockPlantStore(options);
  open.push(mock);
  return mock;
}

describe("startMockPlantStore", () => {
  it("listens on a free port of 127.0.0.1, and the base URL is where it listens", async () => {
    const mock = await start();
    expect(mock.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(mock.baseUrl).toBe(mock.url);
    expect(mock.clientOptions).toEqual({ baseUrl: mock.url, token: mock.token, backoff: { initialMs: 0 } });
    expect(mock.session().clientOptions).not.toHaveProperty("fetch");
  });

  it("keeps an idle connection longer than clients do, so that no request meets its end", async () => {
    const mock = await start();
    const { headers } = await post(mock.baseUrl, '{"id":1,"name":"x"}');
    expect(headers.get("keep-alive")).toBe("timeout=65");
  });

  it("serves the service below a base path, and returns 404 elsewhere", async () => {
    const mock = await start({ basePath: "/v1/" });
    expect(mock.baseUrl).toBe(`${mock.url}/v1`);
    expect((await post(mock.baseUrl, '{"id":1,"name":"x"}')).status).toBe(200);
    expect((await post(mock.url, '{"id":1,"name":"x"}')).status).toBe(404);
  });

  it.each(["/_mocks", "/v1/_mock"])("takes %s for a base path: the control API is elsewhere", async (basePath) => {
    const mock = await start({ basePath });
    expect((await post(mock.baseUrl, '{"id":1,"name":"x"}')).status).toBe(200);
  });

  it("sends a browser that opens its address to the console, and no other request", async () => {
    const { url, requests } = await start();
    const open = async (path: string, method: string, accept?: string) => {
      const headers = accept === undefined ? undefined : { Accept: accept };
      const { status, headers: sent } = await fetch(url + path, {
        method,
        redirect: "manual",
        ...(headers && { headers }),
      });
      return [status, sent.get("location")];
    };
    const browser = "text/html,application/xhtml+xml,*/*;q=0.8";
    expect(await open("/", "GET", browser)).toEqual([302, "_mock/"]);
    expect(requests.count).toBe(0);
    const { text } = await exchange(url, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(parseReply(text).status).toBe(404);
    expect(await open("/other", "GET", browser)).toEqual([404, null]);
    expect(await open("/", "POST", browser)).toEqual([404, null]);
    expect(await open("/", "GET")).toEqual([404, null]);
  });

  const hosts: [host: string, url: RegExp][] = [
    ["0.0.0.0", /^http:\/\/127\.0\.0\.1:\d+$/],
    ["localhost", /^http:\/\/localhost:\d+$/],
    ["LocalHost", /^http:\/\/localhost:\d+$/],
    ["127.1", /^http:\/\/127\.0\.0\.1:\d+$/],
    ["0", /^http:\/\/127\.0\.0\.1:\d+$/],
  ];
  // Many containers have no IPv6.
  if (Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"))) {
    for (const host of ["::", "::1", "0:0:0:0:0:0:0:1", "::0"]) hosts.push([host, /^http:\/\/\[::1\]:\d+$/]);
  }
  it.each(hosts)("listening on %s, its URL is one that a client can call", async (host, url) => {
    const mock = await start({ host });
    expect(mock.url).toMatch(url);
    expect((await post(mock.baseUrl, '{"id":1,"name":"x"}')).status).toBe(200);
  });

  it("says why it cannot listen on the address of another machine", async () => {
    const failure = await startMockPlantStore({ host: "192.0.2.1" }).catch((error) => error);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^cannot listen on 192\.0\.2\.1, port 0: listen EADDRNOTAVAIL.+; choose another/),
      cause: { code: "EADDRNOTAVAIL" },
    });
  });

  it.each([
    [{ port: 65_536 }, "port: must be an integer from 0 to 65535"],
    [{ host: "fe80::1%eth0" }, `host: ${mustBe.host} "fe80::1%eth0"`],
    [
      { basePath: "v1" },
      `basePath: must be a path such as /v1, without a query, and not /_mock, the control API's; received "v1"`,
    ],
    [{ basePath: "/x/../_mock" }, "basePath: must be a path such as /v1"],
    [{ controlToken: "two words" }, "controlToken: must be visible ASCII characters"],
    [
      { baseUrl: "http://x" } as never,
      "baseUrl: the HTTP mock derives it from host, port and basePath; set those instead",
    ],
    ["4010" as never, "options must be an object"],
    [{ prot: 4010 } as never, 'unknown option "prot"; known options: port, host, '],
    [{ cors: "yes" as never }, "cors: must be true or false"],
    [{ time: "later" as never }, 'time: must be "real" or "virtual"'],
  ])("refuses %j", async (options, message) => {
    const failure = await startMockPlantStore(options).catch((error) => error);
    expect(failure).toBeInstanceOf(TypeError);
    expect(failure.message).toContain(message);
  });

  it.each([
    [{ initialPlants: [{ id: 1 } as never] }, "initialPlants[0].name"],
    [{ time: "virtual" as const }, "time: "],
  ])("frees the port if an option of the mock is not valid: %j", async (options, message) => {
    const { url, close } = await startMockPlantStore();
    await close();
    const port = Number(new URL(url).port);
    await expect(startMockPlantStore({ port, ...options })).rejects.toThrow(message);
    await start({ port });
  });
});

describe("close", () => {
  it("ends the server and every session, and can be called twice", async () => {
    const mock = await startMockPlantStore();
    const session = mock.session();
    await post(session.baseUrl, '{"id":1,"name":"x"}', session.token);
    await Promise.all([mock.close(), mock.close()]);
    expect(session.plants.size).toBe(0);
    await expect(post(mock.baseUrl, "{}")).rejects.toThrow("fetch failed");
  });

  it("fails held and hanging requests with network errors", async () => {
    const mock = await startMockPlantStore();
    mock.inject(faults.hang());
    const hanging = post(mock.baseUrl, '{"id":1,"name":"x"}');
    await expect.poll(() => mock.requests.count).toBe(1);
    const gate = mock.hold();
    const held = post(mock.baseUrl, '{"id":2,"name":"x"}');
    await gate.arrived(1);
    const failures = [hanging, held].map((exchange) =>
      expect(exchange).rejects.toMatchObject({ cause: { code: "ECONNRESET" } }),
    );
    await mock.close();
    await Promise.all(failures);
  });

  it.each(["/plants", "/_mock/plants"])("does not wait for the rest of a request to %s", async (path) => {
    const mock = await startMockPlantStore();
    const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
    socket.write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\n{`);
    await once(socket, "connect");
    const ended = new Promise((resolve) => socket.on("error", () => {}).on("close", resolve));
    await post(mock.baseUrl, "{}"); // The server has accepted both by then.
    await mock.close();
    await ended;
  });

  it.each([
    ["node:http with its pool", (mock: Started) => sendPooled(mock)],
    ["fetch", async (mock: Started) => (await post(mock.baseUrl, '{"id":1,"name":"x"}')).status],
  ])("leaves no dead connection to %s: the next mock on the same port gets the first request", async (_name, send) => {
    let port = 0;
    for (let i = 0; i < 5; i++) {
      const mock = await startMockPlantStore({ port });
      port = Number(new URL(mock.url).port);
      expect(await send(mock)).toBe(200);
      await mock.close();
    }
  });

  it("does not process a request that arrives after the end of its connection", async () => {
    const mock = await startMockPlantStore();
    const connection = await RawConnection.open(mock.url);
    await connection.send(rawPost(PLANT));
    await connection.received(/\}$/);
    const gate = mock.hold();
    const closing = mock.close();
    await connection.send(rawPost(PLANT));
    await closing;
    expect((await connection.endedPolitely()).text.match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(mock.requests.count).toBe(0);
    await expect(gate.arrived(1)).rejects.toThrow("after 0 of 1 requests");
  });

  it("is called by `await using`; plain `using` rejects the HTTP mock", async () => {
    const mock = await startMockPlantStore();
    await mock[Symbol.asyncDispose]();
    await expect(post(mock.baseUrl, "{}")).rejects.toThrow("fetch failed");
    expect((mock as Partial<Disposable>)[Symbol.dispose]).toBeUndefined();
  });
});

import { getResponse, HttpResponse, http, type RequestHandler } from "msw";
import { setupServer } from "msw/node";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { createHandlers } from "plant-store-client/mock/msw";
import { setupMockPlantStore } from "plant-store-client/mock/node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { methodsOf } from "../declared-operations.ts";
import { freePort } from "../free-port.ts";
import { lateDeadline } from "../parity/late-deadline.ts";
import { read, rejection } from "./post.ts";

const PLANT = { id: 9007199254740993n, name: "Fern" };
const BODY = '{"id":9007199254740993,"name":"Fern"}';

/** Cleanup after a test, even if it failed. */
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function setup(...args: Parameters<typeof setupMockPlantStore>) {
  const mock = setupMockPlantStore(...args);
  cleanups.push(() => mock.close());
  return mock;
}

/** Intercepts requests with the consumer's own server until the test ends. */
function intercept(...handlers: RequestHandler[]) {
  const server = setupServer(...handlers);
  server.listen();
  cleanups.push(() => server.close());
  return server;
}

/** A mock that intercepts requests. */
function listening() {
  const mock = setup();
  mock.listen();
  return mock;
}

/** An address without a server. */
async function closedAddress(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

function post(baseUrl: string, token: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return fetch(`${baseUrl}/plants`, { method: "POST", headers, body: BODY, ...init });
}

describe("setupMockPlantStore", () => {
  it("intercepts the global fetch, with exact ids", async () => {
    const mock = listening();
    expect(await read(await post(mock.baseUrl, mock.token))).toMatchObject({
      status: 200,
      headers: { "content-type": "application/json" },
      text: '{"name":"Fern"}',
    });
    expect(mock.requests.last).toMatchObject({ path: "/plants", bodyText: BODY, plant: PLANT, provenance: "declared" });
    expect([...mock.plants]).toEqual([PLANT]);
  });

  it("intercepts a client that was created before listen()", async () => {
    const mock = setup();
    const client = new PlantStoreClient(mock.clientOptions);
    expect(mock.clientOptions).toEqual({ baseUrl: mock.baseUrl, token: mock.token, backoff: { initialMs: 0 } });
    mock.listen();
    expect(await client.createPlant(PLANT)).toEqual({ name: "Fern" });
  });

  it("listens and closes any number of times, at the end of a block with `using` too", async () => {
    const mock = setup({ baseUrl: await closedAddress() });
    mock.close();
    for (let round = 0; round < 3; round++) {
      mock.listen();
      mock.listen();
      expect((await post(mock.baseUrl, mock.token)).status).toBe(200);
      expect(mock.plants.size).toBe(1);
      mock[Symbol.dispose]();
      mock.close();
      expect(mock.plants.size).toBe(0);
      expect((await rejection(post(mock.baseUrl, mock.token))).cause).toMatchObject({ code: "ECONNREFUSED" });
    }
  });

  it("listens only while no other mock does, also one of another copy of the package", async () => {
    const MESSAGE =
      "mock.listen(): another mock already intercepts requests; close it first, " +
      "or give createHandlers() of both mocks to one MSW server; if hot reload has loaded this module again, " +
      "add to it: import.meta.hot?.dispose(() => store.close())";
    vi.resetModules();
    const copy = await import("../../mock/node.ts");
    const [first, second, third] = [setup(), setup({ baseUrl: "https://second.test" }), copy.setupMockPlantStore()];
    cleanups.push(() => third.close());
    first.listen();
    for (const other of [second, third]) expect(() => other.listen()).toThrow(MESSAGE);
    expect((await post(first.baseUrl, first.token)).status).toBe(200);
    first.close();
    third.listen();
    expect(() => first.listen()).toThrow(MESSAGE);
    expect((await post(third.baseUrl, third.token)).status).toBe(200);
  });

  it("handles every request under the base URL itself: verify reports it", async () => {
    const mock = setup({ baseUrl: "http://plant-store.test/v1", onUnhandledRequest: "error" });
    mock.listen();
    expect((await fetch("http://plant-store.test/v1/other/7")).status).toBe(404);
    expect(await read(await fetch("http://plant-store.test/v1/plants", { method: "PURGE" }))).toMatchObject({
      status: 405,
      headers: { allow: methodsOf("/plants") },
    });
    expect(() => mock.verify()).toThrow("found 2 problems:\n- GET /v1/other/7 returned 404");
  });

  it.each([
    [undefined, "warn", true],
    ["bypass", undefined, true],
    ["error", "error", false],
  ] as const)("leaves other requests to MSW, which handles them as configured: %s", async (reaction, level, isSent) => {
    const baseUrl = await closedAddress();
    const logs = {
      warn: vi.spyOn(console, "warn").mockImplementation(() => {}),
      error: vi.spyOn(console, "error").mockImplementation(() => {}),
    };
    cleanups.push(() => vi.restoreAllMocks());
    setup({ onUnhandledRequest: reaction }).listen();
    const { cause } = await rejection(fetch(baseUrl));
    expect((cause as { code?: string } | undefined)?.code === "ECONNREFUSED").toBe(isSent);
    if (level) expect(logs[level]).toHaveBeenCalledOnce();
    else expect([logs.warn.mock.calls, logs.error.mock.calls]).toEqual([[], []]);
  });
});

describe("createHandlers", () => {
  it("works alongside a consumer's own server and handlers", async () => {
    const mock = createMockPlantStore();
    const own = http.get("http://weather.test/", () => HttpResponse.json({ sun: true }));
    const server = intercept(own, ...createHandlers(mock));
    expect(await (await fetch("http://weather.test/")).json()).toEqual({ sun: true });
    expect(await new PlantStoreClient({ baseUrl: mock.baseUrl, token: mock.token }).createPlant(PLANT)).toEqual({
      name: "Fern",
    });
    server.use(
      http.post(`${mock.baseUrl}/plants`, () => HttpResponse.json({ error: 9, message: "mine" }, { status: 400 })),
    );
    expect(await (await post(mock.baseUrl, mock.token)).json()).toEqual({ error: 9, message: "mine" });
    expect(mock.requests.count).toBe(1);
  });

  const preflight = [
    ["Origin", "http://app.test"],
    ["Access-Control-Request-Method", "POST"],
    ["Access-Control-Request-Headers", "authorization"],
  ];

  it("answer a page of another origin, whose preflight is no request to the service", async () => {
    const mock = createMockPlantStore();
    const handlers = createHandlers(mock);
    const ask = (method: string, headers: string[][], raw?: string[][]) => {
      const request = new Request(`${mock.baseUrl}/plants`, { method, headers: headers as [string, string][] });
      // happy-dom's Request leaves such headers out; MSW keeps them here.
      if (raw) Object.defineProperty(request.headers, Symbol("kRawHeaders"), { value: raw });
      return getResponse(handlers, request);
    };
    for (const asked of [await ask("OPTIONS", preflight), await ask("OPTIONS", [], preflight)]) {
      expect([asked?.status, asked?.headers.get("access-control-allow-headers")]).toEqual([204, "authorization"]);
    }
    expect(mock.requests.count).toBe(0);
    mock.verify();
    expect(Object.fromEntries((await ask("POST", preflight))?.headers ?? [])).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "content-length, content-type, www-authenticate",
    });
    expect((await ask("OPTIONS", preflight.slice(1)))?.status).toBe(405);
    expect((await ask("POST", []))?.headers.has("access-control-allow-origin")).toBe(false);
    expect(
      await getResponse(handlers, new Request("https://other.test/plants", { method: "OPTIONS" })),
    ).toBeUndefined();
  });

  it("rejects a value that is not a mock", () => {
    expect(() => createHandlers({} as never)).toThrow(
      "mock: must come from createMockPlantStore() or a setup function of plant-store-client/mock; received an object",
    );
    for (const value of [undefined, null, 7, []]) {
      expect(() => createHandlers(value as never)).toThrow("mock: must come from createMockPlantStore()");
    }
  });

  it("fails a request that meets connectionRefused, which they cannot reproduce, and verify says so", async () => {
    const mock = createMockPlantStore();
    intercept(...createHandlers(mock));
    mock.inject(faults.connectionRefused());
    const { cause } = await rejection(post(mock.baseUrl, mock.token));
    expect((cause as { code?: string } | undefined)?.code).not.toBe("ECONNREFUSED");
    expect(() => mock.verify()).toThrow(
      "the fault connectionRefused met a request through createHandlers() or handle(): only the in-memory mock can reproduce it",
    );
  });

  it.each([
    ["read", async (request: Request) => void (await request.text())],
    ["begun to read", (request: Request) => void request.body?.getReader()],
  ])("verify names the cause if another handler has %s the body of a request, which fails", async (_case, read) => {
    const mock = createMockPlantStore();
    const reader = http.post("*", ({ request }) => read(request));
    intercept(reader, ...createHandlers(mock));
    expect(await rejection(post(mock.baseUrl, mock.token))).toBeInstanceOf(TypeError);
    expect(() => mock.verify()).toThrow(
      "POST /plants: another handler has read the body: let that handler read request.clone()",
    );
  });
});

describe("in a page whose browser cannot transfer a stream to MSW's worker, such as WebKit", () => {
  function asInWebKit() {
    vi.stubGlobal("ServiceWorkerContainer", class {});
    vi.stubGlobal(
      "MessageChannel",
      class {
        readonly port1 = {
          postMessage() {
            throw new DOMException("The object can not be cloned.", "DataCloneError");
          },
          close() {},
        };
      },
    );
    cleanups.push(() => vi.unstubAllGlobals());
  }

  it.each([
    ["truncatedBody", "connection", faults.truncatedBody()],
    ["stalledBody", "timeout", faults.stalledBody()],
  ])("%s sends no part of a body, which MSW would wait for", async (_, kind, fault) => {
    asInWebKit();
    const mock = listening();
    mock.inject(fault);
    const clock = lateDeadline(50, () => mock.plants.size > 0);
    const client = new PlantStoreClient({ ...mock.clientOptions, timeoutMs: 50, maxRetries: 0, clock });
    const result = await client.tryCreatePlant(PLANT);
    expect(result.ok ? undefined : result.error).toMatchObject({ kind, outcome: "unknown" });
    expect(result.attempts[0]?.status).toBeUndefined();
    expect(mock.plants.has(PLANT.id)).toBe(true);
  });

  it("a response without a body arrives as it is", async () => {
    asInWebKit();
    const mock = listening();
    mock.inject(faults.reply({ status: 204 }));
    expect((await post(mock.baseUrl, mock.token)).status).toBe(204);
  });

  it("a stalled response fails when the mock is reset", async () => {
    asInWebKit();
    const mock = listening();
    mock.inject(faults.stalledBody());
    const response = rejection(post(mock.baseUrl, mock.token));
    await vi.waitUntil(() => mock.plants.size === 1);
    mock.reset();
    expect(await response).toBeInstanceOf(TypeError);
  });

  it("a browser that can transfer it gets the status of a stalled response", async () => {
    vi.stubGlobal("ServiceWorkerContainer", class {});
    cleanups.push(() => vi.unstubAllGlobals());
    const mock = listening();
    mock.inject(faults.stalledBody());
    const { status } = await post(mock.baseUrl, mock.token);
    expect(status).toBe(200);
  });
});

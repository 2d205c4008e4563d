import { getEventListeners } from "node:events";
import { Request as NodeFetchRequest } from "node-fetch";
import { createMockPlantStore, faults, type MockPlantStore } from "plant-store-client/mock";
import { Request as UndiciRequest } from "undici";
import { describe, expect, it, vi } from "vitest";
import { adapters } from "./adapters.ts";
import { post, read, rejection } from "./post.ts";

const PLANT = '{"id":1,"name":"Fern"}';
const HEADERS = { Authorization: "Bearer t", "Content-Type": "application/json" };

it("a body without an end is not read on", async () => {
  const mock = createMockPlantStore({ maxBodyBytes: 10_000 });
  let chunks = 0;
  let isCanceled = false;
  const body = new ReadableStream({
    pull(controller) {
      chunks++;
      controller.enqueue(new Uint8Array(1000));
    },
    cancel() {
      isCanceled = true;
    },
  });
  expect((await mock.fetch(`${mock.baseUrl}/plants`, { ...half(body), headers: HEADERS })).status).toBe(413);
  expect(isCanceled).toBe(true);
  expect(chunks).toBeLessThan(20);
});

it("a relative address is one of the page, if there is a page", async () => {
  const mock = createMockPlantStore({ baseUrl: "https://plants.test" });
  vi.stubGlobal("location", { href: "https://plants.test/shop/" });
  const init = { method: "POST", headers: { Authorization: "Bearer t" }, body: new URLSearchParams("a=b") };
  expect((await mock.fetch("/plants", init)).status).toBe(400);
  vi.unstubAllGlobals();
});

function aborted(url: string, init: RequestInit): Request {
  return new Request(url, { ...init, signal: AbortSignal.abort() });
}

/** A Request as in React Native. */
function withoutStreams(request: Request): Request {
  return Object.defineProperty(request, "body", { value: undefined });
}

function half(body: ReadableStream) {
  return { method: "POST", body, duplex: "half" } as const;
}

describe("the input of fetch", () => {
  const mock = createMockPlantStore();
  const init = { method: "POST", headers: HEADERS, body: PLANT };
  const url = `${mock.baseUrl}/plants`;

  it.each([
    ["an address as text", () => mock.fetch(url, init)],
    ["an address that needs normalizing", () => mock.fetch("https://PLANT-STORE.test:443/x/../plants#top", init)],
    ["a URL", () => mock.fetch(new URL(url), init)],
    ["a Request", () => mock.fetch(new Request(url, init))],
    ["a Request with other fields", () => mock.fetch(new Request(url), init)],
    ["a Blob", () => mock.fetch(url, { ...init, body: new Blob([PLANT]) })],
    ["a Headers", () => mock.fetch(url, { ...init, headers: new Headers(init.headers) })],
    ["a method in small letters", () => mock.fetch(url, { ...init, method: "post" })],
    ["a Request in handle", () => mock.handle(new Request(url, init))],
    ["a Request of undici in handle", () => mock.handle(new UndiciRequest(url, init) as never)],
    ["a Request of node-fetch in handle", () => mock.handle(new NodeFetchRequest(url, init) as never)],
    ["another URL with a Request, as a proxy sends it on", () => mock.fetch(url, new Request("http://a.test/", init))],
    ["an object that inherits its members", () => mock.fetch(new URL(url), Object.create(init))],
    ["an aborted Request without its signal", () => mock.fetch(aborted(url, init), { signal: null })],
  ])("is %s", async (_case, call) => {
    const { count } = mock.requests;
    expect(await read(await call())).toMatchObject({ status: 200, text: '{"name":"Fern"}' });
    expect(mock.requests.count).toBe(count + 1);
    expect(mock.requests.last).toMatchObject({ method: "POST", path: "/plants", bodyText: PLANT });
  });

  it("may be without fields", async () => {
    for (const init of [undefined, null as never]) {
      mock.requests.clear();
      await mock.fetch(url, init);
      expect(mock.requests.last).toMatchObject({ method: "GET", path: "/plants", bodyText: "" });
    }
  });

  it.each([
    ["fetch", (body: ReadableStream) => mock.fetch(url, half(body))],
    ["a Request", (body: ReadableStream) => mock.fetch(new Request(url, half(body)))],
    ["a Request without streams", (body: ReadableStream) => mock.handle(withoutStreams(new Request(url, half(body))))],
  ])("is not sent if the body of %s fails, and the error has the form of Node's own", async (_case, send) => {
    const { count } = mock.requests;
    for (const cause of [new Error("disk"), undefined]) {
      const error = await rejection(send(new ReadableStream({ pull: (controller) => controller.error(cause) })));
      expect(error).toBeInstanceOf(TypeError);
      expect([error.message, error.cause]).toEqual(["fetch failed", cause]);
    }
    expect(mock.requests.count).toBe(count);
  });

  it("must be an absolute URL", async () => {
    expect(await rejection(mock.fetch("/plants", init))).toBeInstanceOf(TypeError);
  });

  it("replaces lone surrogates with U+FFFD, as on the wire", async () => {
    await mock.fetch(url, { ...init, body: '{"id":2,"name":"\ud800"}' });
    expect(mock.plants.get(2)).toEqual({ id: 2, name: "\ufffd" });
  });

  it("is copied: a later change by the caller has no effect", async () => {
    const headers = { ...init.headers };
    await mock.fetch(url, { ...init, headers });
    headers["Content-Type"] = "text/plain";
    expect(mock.requests.last?.headers["content-type"]).toBe("application/json");
  });
});

describe("a URL outside the base URL", () => {
  it.each([
    "http://plant-store.test.example/plants",
    "http://plant-store.test/v2/plants",
    "http://plant-store.test/v10/plants",
  ])("rejects %s with a TypeError that names both, and verify fails", async (url) => {
    const mock = createMockPlantStore({ baseUrl: "http://plant-store.test/v1" });
    const error = await rejection(mock.fetch(url));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(
      `fetch failed: ${url} is outside the base URL http://plant-store.test/v1 of the mock; use its baseUrl`,
    );
    expect(mock.requests.count).toBe(0);
    expect(() => mock.verify()).toThrow(`GET ${url} is outside the base URL http://plant-store.test/v1`);
  });
});

it("a URL that adds a query or a fragment alone to the base URL is not outside", async () => {
  const mock = createMockPlantStore({ baseUrl: "http://plant-store.test/v1" });
  for (const rest of ["?a", "#a"]) expect((await mock.fetch(mock.baseUrl + rest)).status).toBe(404);
});

describe("an abort", () => {
  it("rejects before anything is recorded", async () => {
    const mock = createMockPlantStore();
    expect(await rejection(post(mock, PLANT, { signal: AbortSignal.abort("gone") }) as never)).toBe("gone");
    const request = new Request(`${mock.baseUrl}/plants`, { signal: AbortSignal.abort("gone") });
    expect(await rejection(mock.fetch(request))).toBe("gone");
    expect(mock.requests.count).toBe(0);
  });

  const waits: [wait: string, stop: (mock: MockPlantStore) => unknown][] = [
    ["a gate", (mock) => mock.hold()],
    ["a delay", (mock) => mock.inject(faults.delay(2 ** 31 - 1))],
    ["a hanging reply", (mock) => mock.inject(faults.hang())],
    ["a stalled body", (mock) => mock.inject(faults.stalledBody())],
  ];

  it.each([["nothing", () => {}] as const, ...waits])(
    "whose signal has no reason, as in React Native, ends the wait for %s with an AbortError",
    async (wait, stop) => {
      const mock = createMockPlantStore();
      stop(mock);
      const signal = Object.assign(new EventTarget(), { aborted: wait === "nothing" });
      const reply = rejection(post(mock, PLANT, { signal: signal as unknown as AbortSignal }));
      await new Promise((resolve) => setImmediate(resolve));
      signal.dispatchEvent(new Event("abort"));
      expect(await reply).toMatchObject({ name: "AbortError", message: "This operation was aborted" });
      mock.reset();
    },
  );

  it("is no longer listened for after the response", async () => {
    const mock = createMockPlantStore();
    const { signal } = new AbortController();
    mock.inject(faults.delay(0));
    await post(mock, new Blob([PLANT]), { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe.each(["in memory", "MSW in Node"] as const)("a request %s whose body stalls", (name) => {
  it.each(["reset", "close"] as const)("fails as a network error on %s", async (end) => {
    const { mock, send, close } = await adapters[name]();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(PLANT)),
      pull: () => new Promise(() => {}),
    });
    const failed = vi.fn();
    const reply = rejection(send(`${mock.baseUrl}/plants`, half(body))).finally(failed);
    // Again and again, because nothing shows when the mock has read what there is.
    await vi.waitFor(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await (end === "reset" ? mock.reset() : close());
      expect(failed).toHaveBeenCalled();
    });
    expect(await reply).toBeInstanceOf(TypeError);
    expect([mock.requests.count, mock.plants.size]).toEqual([0, 0]);
    await close();
  });
});

it.each(Object.entries(adapters))("%s delays a response if the global Promise is replaced", async (_, start) => {
  const { mock, post: send, close } = await start();
  vi.stubGlobal("Promise", class extends Promise<unknown> {});
  mock.inject(faults.delay(1));
  expect((await send(PLANT)).status).toBe(200);
  vi.unstubAllGlobals();
  await close();
});

describe("an error has the form of Node's own", () => {
  it.each([
    [faults.connectionRefused(), { code: "ECONNREFUSED", syscall: "connect", address: "plant-store.test", port: 443 }],
    [faults.networkError(), { message: "read ECONNRESET", code: "ECONNRESET", errno: -104, syscall: "read" }],
    [faults.lostResponse(), { code: "UND_ERR_SOCKET", name: "SocketError", message: "other side closed" }],
  ])("$type", async (fault, cause) => {
    const mock = createMockPlantStore();
    mock.inject(fault);
    const error = await rejection(post(mock, PLANT));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe("fetch failed");
    expect(error.cause).toMatchObject(cause);
  });

  it.each([
    ["https://plants.test", "plants.test", 443],
    ["http://plants.test", "plants.test", 80],
    ["http://plants.test:8080", "plants.test", 8080],
    ["http://[::1]:8080", "::1", 8080],
  ])("names the address and the port of %s in a refused connection", async (baseUrl, address, port) => {
    const mock = createMockPlantStore({ baseUrl });
    mock.inject(faults.connectionRefused());
    const { cause } = await rejection(post(mock, PLANT));
    expect(cause).toMatchObject({ message: `connect ECONNREFUSED ${address}:${port}`, errno: -111, address, port });
  });

  it("truncatedBody sends headers and half of the body, then closes the connection", async () => {
    const mock = createMockPlantStore();
    mock.inject(faults.truncatedBody());
    const init = { method: "POST", headers: HEADERS, body: PLANT };
    const response = await mock.fetch(`${mock.baseUrl}/plants`, init);
    expect(response.headers.get("content-length")).toBe("15");
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"name"');
    const error = await rejection(reader?.read() as Promise<unknown>);
    expect(error.message).toBe("terminated");
    expect(error.cause).toMatchObject({ name: "SocketError", message: "other side closed", code: "UND_ERR_SOCKET" });
  });
});

it("has the media type that fetch gives to a string", async () => {
  const mock = createMockPlantStore();
  const headers = { Authorization: "Bearer t" };
  expect((await post(mock, PLANT, { headers })).text).toContain("received text/plain;charset=UTF-8");
});

it("treats a redirect status without a Location, and a Location without a redirect status, as plain responses", async () => {
  const mock = createMockPlantStore();
  mock.inject(faults.reply({ status: 307 }));
  mock.inject(faults.reply({ status: 201, headers: { Location: "/plants/1" } }));
  expect([(await post(mock, PLANT)).status, (await post(mock, PLANT)).status]).toEqual([307, 201]);
});

describe.each([301, 302, 303, 307, 308])("an injected redirect with the status %i", (status) => {
  const setup = () => {
    const mock = createMockPlantStore();
    mock.inject(faults.reply({ status, headers: { Location: "http://example.test/" } }));
    return mock;
  };

  it('is returned if the caller passes redirect: "manual"', async () => {
    const { headers, ...response } = await post(setup(), PLANT, { redirect: "manual" });
    expect([response.status, headers.location]).toEqual([status, "http://example.test/"]);
  });

  it("is returned by handle, for the client of the server that calls it", async () => {
    const mock = setup();
    const response = await mock.handle(new Request(`${mock.baseUrl}/plants`, { method: "POST", body: PLANT }));
    expect([response.status, response.headers.get("location")]).toEqual([status, "http://example.test/"]);
  });

  it("is not followed, and the message gives the fix", async () => {
    await expect(post(setup(), PLANT)).rejects.toThrow(
      'fetch failed: the mock does not follow redirects; pass redirect: "manual" to read the response',
    );
  });
});

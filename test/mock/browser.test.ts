import { getResponse, type RequestHandler } from "msw";
import { createMockPlantStore } from "plant-store-client/mock";
import type { WorkerMockPlantStore } from "plant-store-client/mock/browser";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";

// MSW's browser entry point cannot be imported in Node: a fake worker records its calls here. A real one runs in
// test/parity, in Chromium.
const calls: string[] = [];
let startFails = false;
let handlers: RequestHandler[] = [];
vi.doMock("msw/browser", () => ({
  setupWorker: (...given: RequestHandler[]) => ({
    start: async (options: object) => {
      calls.push(`start ${JSON.stringify(options)}`);
      handlers = given;
      if (startFails) throw new Error("no worker script");
    },
    stop: () => calls.push("stop"),
  }),
}));
const { setupMockPlantStoreWorker: setup } = await import("../../mock/browser.ts");
const mocks: WorkerMockPlantStore[] = [];
const setupMockPlantStoreWorker: typeof setup = (options) => {
  const mock = setup(options);
  mocks.push(mock);
  return mock;
};
const start = (url: string, reaction: string) =>
  `start {"serviceWorker":{"url":"${url}"},"quiet":true,"onUnhandledRequest":"${reaction}","onUnhandledFrame":"${reaction}"}`;

beforeEach(() => {
  calls.length = 0;
  startFails = false;
});
afterEach(() => Promise.all(mocks.splice(0).map((mock) => mock.stop())));
afterAll(() => vi.doUnmock("msw/browser"));

it("starts and stops once, however often it is called", async () => {
  const mock = setupMockPlantStoreWorker();
  await mock.stop();
  await Promise.all([mock.start(), mock.start()]);
  await mock.start();
  await mock.stop();
  await mock.stop();
  await mock.start();
  await mock[Symbol.asyncDispose]();
  const once = [start("/mockServiceWorker.js", "bypass"), "stop"];
  expect(calls).toEqual([...once, ...once]);
});

it("passes on the URL of the worker and the handling of other requests", async () => {
  const mock = setupMockPlantStoreWorker({ workerUrl: "/test/worker.js", onUnhandledRequest: "error" });
  await mock.start();
  expect(calls).toEqual([start("/test/worker.js", "error")]);
});

it("can start again after a failed start", async () => {
  const mock = setupMockPlantStoreWorker();
  startFails = true;
  await expect(mock.start()).rejects.toThrow("no worker script");
  startFails = false;
  await mock.start();
});

it("does not start while another mock is started, and starts once that has stopped", async () => {
  const [first, second] = [setupMockPlantStoreWorker(), setupMockPlantStoreWorker()];
  await first.start();
  await expect(second.start()).rejects.toThrow(
    "mock.start(): another mock already intercepts requests; close it first",
  );
  await first.stop();
  await second.start();
  await expect(first.start()).rejects.toThrow("mock.start(): another mock already");
});

it("leaves a request to MSW if it arrives after the worker has stopped", async () => {
  const mock = setupMockPlantStoreWorker();
  const status = async () => (await getResponse(handlers, new Request(`${mock.baseUrl}/x`)))?.status;
  await mock.start();
  expect(await status()).toBe(404);
  await mock.stop();
  expect(await status()).toBeUndefined();
});

it("leaves unknown paths of the page's own origin to the page", async () => {
  vi.stubGlobal("location", { origin: "https://page.test", href: "https://page.test/" });
  const statuses = async (baseUrl: string) => {
    const mock = setupMockPlantStoreWorker({ baseUrl });
    await mock.start();
    const paths = ["/plants", "/assets/app.js", "/", "/plants?x"];
    const responses = await Promise.all(
      paths.map((path) =>
        getResponse(handlers, new Request(new URL(`.${path}`, `${mock.baseUrl}/`), { method: "HEAD" })),
      ),
    );
    await mock.stop();
    return responses.map((response) => response?.status);
  };
  expect(await statuses("https://page.test")).toEqual([405, undefined, undefined, 405]);
  expect(await statuses("https://page.test/api")).toEqual([405, 404, 404, 405]);
  expect(await statuses("https://api.test")).toEqual([405, 404, 404, 405]);
  vi.unstubAllGlobals();
});

it.each([
  [{ onUnhandledRequest: "ignore" }, 'onUnhandledRequest: must be "bypass" or "warn" or "error"'],
  [{ workerUrl: 7 }, "workerUrl: must be a string"],
  [{ workerURL: "/x.js" }, 'unknown option "workerURL"; known options: '],
])("refuses the options %j", (options, message) => {
  expect(() => setupMockPlantStoreWorker(options as never)).toThrow(message);
});

it("may start again before a stop is over, and intercepts until the next stop", async () => {
  const [mock, other] = [setupMockPlantStoreWorker(), setupMockPlantStoreWorker()];
  await mock.start();
  const stopping = mock.stop();
  await mock.start();
  await stopping;
  await expect(other.start()).rejects.toThrow("another mock already intercepts requests");
  await mock.close();
  await other.start();
});

it("has asyncDispose in place of dispose", () => {
  expect((setupMockPlantStoreWorker() as Partial<Disposable>)[Symbol.dispose]).toBeUndefined();
  expect(createMockPlantStore()[Symbol.dispose]).toBeTypeOf("function");
});

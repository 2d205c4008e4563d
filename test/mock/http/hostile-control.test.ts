import { ServerResponse } from "node:http";
import { connect } from "node:net";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";

let mock: HttpMockPlantStore;
beforeAll(async () => {
  mock = await startMockPlantStore();
});
afterEach(() => {
  vi.restoreAllMocks();
  mock.reset();
});
afterAll(() => mock.close());

it("a client that sends many calls and reads nothing gets one response after the other", async () => {
  for (let id = 0; id < 1000; id++) mock.plants.add({ id, name: "a".repeat(2000) });
  const begun = vi.spyOn(ServerResponse.prototype, "writeHead");
  const open = () => connect(Number(new URL(mock.url).port), "127.0.0.1");
  const calls = `GET /_mock/plants?last=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(100);
  const reader = open();
  const leaver = open();
  for (const socket of [reader, leaver]) socket.pause().write(calls);
  await expect.poll(() => begun.mock.calls.length).toBeGreaterThan(1);
  for (let i = 0; i < 10; i++) expect((await fetch(`${mock.url}/_mock/health`)).status).toBe(200);
  // The operating system buffers a few of them.
  expect(begun.mock.calls.length).toBeLessThan(100);
  leaver.destroy();
  let received = "";
  reader.setEncoding("latin1").on("data", (text: string) => (received = (received + text).slice(-20)));
  reader.resume();
  await expect.poll(() => begun.mock.calls.length).toBeGreaterThan(110);
  await expect.poll(() => received).toMatch(/"\}\]\}$/);
  reader.destroy();
  expect(begun.mock.calls.length).toBeLessThan(200);
});

it("the fifty-first stream of events is refused until another one is closed", async () => {
  const controllers = Array.from({ length: 50 }, () => new AbortController());
  const open = (signal?: AbortSignal) => fetch(`${mock.url}/_mock/events`, { signal: signal ?? null });
  for (const { signal } of controllers) expect((await open(signal)).status).toBe(200);
  const refused = await open();
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { error: 42900, message: "at most 50 event streams; close one first" },
  ]);
  for (const controller of controllers) controller.abort();
  await expect.poll(async () => (await fetch(`${mock.url}/_mock/events`, { method: "HEAD" })).status).toBe(200);
});

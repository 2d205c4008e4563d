// node --expose-gc soak.mjs {…}: many short tests in one process; reports time and heap of every tenth.
import { setImmediate } from "node:timers/promises";
import rawFetch from "../client/raw-fetch.mjs";

const { requests, form, mock, mockMsw, msw, mswNode } = JSON.parse(process.argv[2]);
const REQUESTS_A_TEST = 100;
const baseUrl = "https://plant-store.test";

const { createMockPlantStore } = await import(mock);
const store = createMockPlantStore({ baseUrl });
if (form !== "fetch") {
  const { setupServer } = await import(mswNode);
  const handlers = form === "bare" ? [await bareHandler()] : (await import(mockMsw)).createHandlers(store);
  setupServer(...handlers).listen({ onUnhandledRequest: "error" });
}

/** A handler that only parses and replies: it shows the share of MSW itself. */
async function bareHandler() {
  const { http, HttpResponse } = await import(msw);
  return http.post(`${baseUrl}/plants`, async ({ request }) => {
    const { name, tag } = await request.json();
    return HttpResponse.json({ name, tag });
  });
}

/** One test: a session, creates, assertions, and the end. */
async function test() {
  const session = store.session();
  const fetch = form === "fetch" ? session.fetch : globalThis.fetch;
  const create = rawFetch({ baseUrl, token: session.token, fetch });
  for (let id = 0; id < REQUESTS_A_TEST; id++) await create({ id, name: "Monstera deliciosa", tag: "araceae" });
  if (form !== "bare" && !session.plants.has(REQUESTS_A_TEST - 1)) throw new Error("plants are missing");
  session.verify();
  session[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
  await setImmediate();
}

/** The CPU time in microseconds a request, and the heap after all of them. */
async function tests(count) {
  const begin = process.cpuUsage();
  for (let i = 0; i < count; i++) await test();
  const { user, system } = process.cpuUsage(begin);
  globalThis.gc();
  await setImmediate();
  globalThis.gc();
  return { microseconds: (user + system) / (count * REQUESTS_A_TEST), heapBytes: process.memoryUsage().heapUsed };
}

const tenth = Math.ceil(requests / REQUESTS_A_TEST / 10);
await tests(tenth);
const tenths = [];
for (let i = 0; i < 10; i++) tenths.push(await tests(tenth));
process.stdout.write(JSON.stringify(tenths), () => process.exit());

// One create against one mock, which the worker repeats. The caller is always the same code by hand.
import rawFetch from "../client/raw-fetch.mjs";
import { stubs } from "../client/stubs.mjs";

const BASE_URL = "https://plant-store.test/v1";
const PLANT = { id: 42, name: "Monstera deliciosa", tag: "araceae" };
const TOKEN = "0123456789abcdef0123456789abcdef";
/** As many creates as one test might make before it resets the mock. */
const CALLS_A_TEST = 1000;

/** For each candidate, the fetch to call and the end of a test. */
const candidates = {
  "stub-response": () => ({ fetch: stubs.response }),
  "stub-request": () => ({ fetch: stubs.request }),
  "mock-fetch": async ({ mock }) => {
    const { createMockPlantStore } = await import(mock);
    const store = createMockPlantStore({ baseUrl: BASE_URL });
    return { fetch: store.fetch, reset: () => store.reset() };
  },
  "msw-bare": async ({ msw, mswNode }) => intercept(mswNode, [await bareHandler(msw)]),
  "msw-ours": async ({ mock, mockMsw, mswNode }) => {
    const { handlers, reset } = await ourHandlers(mock, mockMsw);
    return { ...(await intercept(mswNode, handlers)), reset };
  },
  "get-response-bare": async ({ msw }) => {
    const handlers = [await bareHandler(msw)];
    const { getResponse } = await import(msw);
    return { fetch: (url, init) => getResponse(handlers, new Request(url, init)) };
  },
  "get-response-ours": async ({ mock, mockMsw, msw }) => {
    const { handlers, reset } = await ourHandlers(mock, mockMsw);
    const { getResponse } = await import(msw);
    return { fetch: (url, init) => getResponse(handlers, new Request(url, init)), reset };
  },
  "undici-mock-agent": async () => {
    const { fetch, MockAgent } = await import("undici");
    const dispatcher = new MockAgent();
    dispatcher.disableNetConnect();
    const { origin, pathname } = new URL(`${BASE_URL}/plants`);
    const { name, tag } = PLANT;
    dispatcher
      .get(origin)
      .intercept({ method: "POST", path: pathname })
      .reply(200, { name, tag }, { headers: { "content-type": "application/json" } })
      .persist();
    return { fetch: (url, init) => fetch(url, { ...init, dispatcher }) };
  },
  nock: async () => {
    const { default: nock } = await import("nock");
    const { origin, pathname } = new URL(`${BASE_URL}/plants`);
    nock(origin)
      .persist()
      .post(pathname)
      .reply(200, async (request) => {
        const { name, tag } = await request.json();
        return { name, tag };
      });
    return { fetch: globalThis.fetch };
  },
};

/** A handler that only parses and replies. */
async function bareHandler(msw) {
  const { http, HttpResponse } = await import(msw);
  return http.post(`${BASE_URL}/plants`, async ({ request }) => {
    const { name, tag } = await request.json();
    return HttpResponse.json({ name, tag });
  });
}

async function ourHandlers(mock, mockMsw) {
  const { createMockPlantStore } = await import(mock);
  const { createHandlers } = await import(mockMsw);
  const store = createMockPlantStore({ baseUrl: BASE_URL });
  return { handlers: createHandlers(store), reset: () => store.reset() };
}

async function intercept(mswNode, handlers) {
  const { setupServer } = await import(mswNode);
  setupServer(...handlers).listen({ onUnhandledRequest: "error" });
  return { fetch: globalThis.fetch };
}

export default async function setup({ candidate, ...modules }) {
  const { fetch, reset } = await candidates[candidate](modules);
  const createPlant = rawFetch({ baseUrl: BASE_URL, token: TOKEN, fetch });
  const { name, tag } = await createPlant(PLANT);
  if (name !== PLANT.name || tag !== PLANT.tag) throw new Error(`${candidate} did not return the plant`);
  let calls = 0;
  return () => {
    if (reset && ++calls % CALLS_A_TEST === 0) reset();
    return createPlant(PLANT);
  };
}

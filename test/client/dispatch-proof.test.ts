import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Attempt, type CreatePlantOptions, type CreatePlantResult, PlantStoreClient } from "plant-store-client";
import { createUndiciFetch } from "plant-store-client/undici";
import {
  Agent,
  DecoratorHandler,
  type Dispatcher,
  interceptors,
  MockAgent,
  ProxyAgent,
  RetryAgent,
  setGlobalDispatcher,
} from "undici";
import { afterEach, describe, expect, test, vi } from "vitest";
import { judgeProof } from "../../src/proof/server.ts";
import { selfSigned } from "../self-signed.ts";
import { answersOnce } from "./faults/behaviors.ts";
import { PLANT, reply, ScriptedServer } from "./faults/server.ts";
import { TestClock } from "./fixtures/test-clock.ts";

const FERN = { id: 7, name: "Fern" };
const NOT_SENT = { kind: "connection", outcome: "not-sent" };
const UNKNOWN = { kind: "connection", outcome: "unknown" };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A service that creates plants. */
async function startService(): Promise<string> {
  const server = await ScriptedServer.start({ posted: ({ socket }) => reply(socket, "200 OK", PLANT) });
  cleanups.push(() => server.close());
  return `http://127.0.0.1:${server.port}`;
}

/** The address of a server that does something with each connection, and reads nothing from it. */
async function startServer(
  connected: (socket: Socket, server: Server, number: number) => void,
  scheme = "http",
): Promise<string> {
  let number = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    connected(socket, server, ++number);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `${scheme}://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** A service that responds on demand, and records the ids of the plants that it receives. */
async function startHolding() {
  const ids: string[] = [];
  const waiting: Socket[] = [];
  let isOpen = false;
  let wake = () => {};
  let connected = 0;
  const baseUrl = await startServer((socket, _, number) => {
    connected = number;
    socket.on("data", (data) => {
      ids.push(/"id":(\d+)/.exec(`${data}`)?.[1] ?? "");
      if (isOpen) reply(socket, "200 OK", PLANT);
      else waiting.push(socket);
      wake();
    });
  });
  return {
    baseUrl,
    ids,
    connections: () => connected,
    async arrived(count: number): Promise<void> {
      while (ids.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    answerAll(): void {
      isOpen = true;
      for (const socket of waiting) reply(socket, "200 OK", PLANT);
    },
  };
}

/** The address of a server that creates one plant for each of its first connections, and resets each later TLS handshake. */
async function startResetting(created = 0): Promise<string> {
  const service = createTlsServer(created > 0 ? await selfSigned() : {}, (socket) =>
    socket.once("data", () => reply(socket, "200 OK", PLANT, "Connection: close")),
  );
  return startServer((socket, _, number) => {
    if (number <= created) service.emit("connection", socket);
    else socket.once("data", () => socket.resetAndDestroy());
  }, "https");
}

/** An Agent that accepts the certificate of that server. */
const newAgent = () => new Agent({ connect: { rejectUnauthorized: false } });

/** The address of a server that resets each connection once bytes of a request have arrived. */
const startDropping = () => startServer((socket) => socket.once("data", () => socket.resetAndDestroy()));

/** One call, retried without a wait that counts. */
function create(baseUrl: string, fetch?: ReturnType<typeof createUndiciFetch>, options?: CreatePlantOptions) {
  vi.spyOn(Math, "random").mockReturnValue(0);
  cleanups.push(() => vi.restoreAllMocks());
  return new PlantStoreClient({ baseUrl, token: "secret", fetch }).tryCreatePlant(FERN, options);
}

/** One call whose deadline comes on demand. */
function createUntilDeadline(baseUrl: string, fetch?: ReturnType<typeof createUndiciFetch>) {
  const clock = new TestClock();
  const result = new PlantStoreClient({ baseUrl, token: "secret", fetch, timeoutMs: 50, clock }).tryCreatePlant(FERN);
  return { atDeadline: () => clock.until(result) };
}

/** Waits until a number of requests have been handed to undici, including Node's own copy. */
function untilQueued(count: number): Promise<void> {
  return new Promise((resolve) => {
    const note = () => {
      if (--count > 0) return;
      unsubscribe("undici:request:create", note);
      resolve();
    };
    subscribe("undici:request:create", note);
  });
}

const codesOf = ({ attempts }: CreatePlantResult) => attempts.map(({ code }: Attempt) => code);

/** An interceptor that swallows the hook. */
const deafen: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, Object.assign(new DecoratorHandler(handler), { onRequestStart: () => {} }));

/** Makes a transport over a dispatcher. */
function through(dispatcher: Dispatcher) {
  cleanups.push(() => dispatcher.close());
  return createUndiciFetch({ dispatcher });
}

/** An interceptor that keeps `abort` to itself, as undici's `dump` does. */
const keepAbort: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const onRequestStart: Dispatcher.DispatchHandler["onRequestStart"] = (controller, context) =>
    handler.onRequestStart?.(Object.assign(controller, { abort: () => {} }), context);
  return dispatch(options, Object.assign(new DecoratorHandler(handler), { onRequestStart }));
};

/** The result of a call whose TLS handshake is reset, after an earlier call to the same service created its plant. */
async function createAfterOther(fetch?: ReturnType<typeof createUndiciFetch>): Promise<CreatePlantResult> {
  const baseUrl = await startResetting(1);
  expect(await create(baseUrl, fetch)).toMatchObject({ ok: true });
  return create(baseUrl, fetch);
}

/** Calls the hook together with the response, as a dispatcher might that does not use sockets (undici-thread-interceptor). */
const callHookLate: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const late = new DecoratorHandler(handler) as Dispatcher.DispatchHandler;
  const onResponseStart: Dispatcher.DispatchHandler["onResponseStart"] = (controller, ...parameters) => {
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, ...parameters);
  };
  return dispatch(options, Object.assign(late, { onRequestStart: () => {}, onResponseStart }));
};

describe("through createUndiciFetch", () => {
  const own = () => {
    const fetch = createUndiciFetch();
    cleanups.push(() => fetch.close());
    return fetch;
  };

  test("a TLS handshake that is reset proves that nothing was sent, from the first request on", async () => {
    const result = await create(await startResetting(), own());
    expect(result).toMatchObject({ ok: false, error: NOT_SENT });
    expect(codesOf(result)).toEqual(["ECONNRESET", "ECONNRESET", "ECONNRESET"]);
  });

  test("a certificate that is not trusted is not tried again, though nothing was sent", async () => {
    const result = await create(await startResetting(3), own());
    expect(result).toMatchObject({ ok: false, error: { ...NOT_SENT, attempts: { length: 1 } } });
    expect(codesOf(result)).toEqual(["DEPTH_ZERO_SELF_SIGNED_CERT"]);
  });

  test("a request that waits for a connection when its call ends was not sent, and never will be", async () => {
    const { baseUrl, arrived, ids, answerAll, connections } = await startHolding();
    const fetch = createUndiciFetch({ connections: 1 });
    cleanups.push(() => fetch.close());
    const first = create(baseUrl, fetch);
    await arrived(1);
    const controller = new AbortController();
    const queued = untilQueued(2);
    const aborted = create(baseUrl, fetch, { signal: controller.signal });
    const late = createUntilDeadline(baseUrl, fetch);
    await queued;
    expect(await late.atDeadline()).toMatchObject({ error: { kind: "timeout", outcome: "not-sent", attempts: [{}] } });
    controller.abort();
    expect(await aborted).toMatchObject({ error: { kind: "aborted", outcome: "not-sent", attempts: [{}] } });
    answerAll();
    expect(await first).toMatchObject({ ok: true });
    expect(await create(baseUrl, fetch)).toMatchObject({ ok: true });
    expect(ids).toHaveLength(2);
    expect(connections()).toBe(1);
  });

  test("a request that was written when its call ends may have been processed", async () => {
    const { baseUrl, arrived } = await startHolding();
    const controller = new AbortController();
    const call = create(baseUrl, own(), { signal: controller.signal });
    await arrived(1);
    controller.abort();
    expect(await call).toMatchObject({ error: { kind: "aborted", outcome: "unknown" } });
  });
});

describe("through a dispatcher of the application's own", () => {
  test("nothing is proven before it has called the hook for a request to the same service", async () => {
    const fetch = through(newAgent());
    expect(await create(await startService(), fetch)).toMatchObject({ ok: true });
    expect(await create(await startResetting(), fetch)).toMatchObject({ error: { ...UNKNOWN, attempts: [{}] } });
    expect(await createAfterOther(fetch)).toMatchObject({ error: NOT_SENT });
  });

  test.each([
    ["swallows the hook", deafen],
    ["calls the hook together with the response", callHookLate],
  ])("an interceptor that %s proves nothing", async (_name, interceptor) => {
    expect(await createAfterOther(through(newAgent().compose(interceptor)))).toMatchObject({ error: UNKNOWN });
  });

  test("a request that was reported as not sent is not written, even if an interceptor keeps the abort", async () => {
    const { baseUrl, arrived, ids, answerAll } = await startHolding();
    const fetch = through(new Agent({ connections: 1 }).compose(keepAbort));
    const first = create(baseUrl, fetch);
    await arrived(1);
    expect(await create(baseUrl, fetch, { timeoutMs: 50 })).toMatchObject({
      error: { kind: "timeout", outcome: "not-sent" },
    });
    answerAll();
    expect(await first).toMatchObject({ ok: true });
    expect(await create(baseUrl, fetch)).toMatchObject({ ok: true });
    expect(ids).toHaveLength(2);
  });

  test("a request that it sends again by itself proves nothing if only the first try was written", async () => {
    const elsewhere = await startResetting();
    let tries = 0;
    const again = new Agent().compose((dispatch) => (options, handler) => {
      const retrying = new DecoratorHandler(handler) as Dispatcher.DispatchHandler;
      const onResponseError = (controller: Dispatcher.DispatchController, error: Error) =>
        tries++ === 0
          ? void dispatch({ ...options, origin: elsewhere }, handler)
          : handler.onResponseError?.(controller, error);
      return dispatch(options, Object.assign(retrying, { onResponseError }));
    });
    const fetch = createUndiciFetch({ dispatcher: again });
    cleanups.push(() => again.close());
    const result = await create(await startDropping(), fetch);
    expect(tries).toBe(1);
    expect(result).toMatchObject({ error: { ...UNKNOWN, attempts: [{}] } });
  });

  /** A service that refuses the first plant by 429. */
  const startRefusing = async () => {
    const refuseOnce = answersOnce("429 Too Many Requests", '{"error":1,"message":"no"}', "Retry-After: 0");
    const server = await ScriptedServer.start({ posted: refuseOnce() });
    cleanups.push(() => server.close());
    return { baseUrl: `http://127.0.0.1:${server.port}`, server };
  };

  test.each<[string, (agent: Agent) => Dispatcher, isPassedOn: boolean]>([
    ["a RetryAgent", (agent) => new RetryAgent(agent), false],
    ["the interceptor retry", (agent) => agent.compose(interceptors.retry()), false],
    ["the interceptor responseError", (agent) => agent.compose(interceptors.responseError()), false],
    ["a RetryAgent that throws nothing", (agent) => new RetryAgent(agent, { throwOnError: false }), true],
    ["a retry that throws nothing", (agent) => agent.compose(interceptors.retry({ throwOnError: false })), true],
  ])("a refusal through %s is retried only if it is passed on as a response (%s)", async (_name, wrap, isPassedOn) => {
    const { baseUrl, server } = await startRefusing();
    const result = await create(baseUrl, through(wrap(new Agent())));
    const refused = { error: { ...UNKNOWN, attempts: { length: 1 } } };
    expect(result).toMatchObject(isPassedOn ? { ok: true, attempts: [{ status: 429 }, {}] } : refused);
    expect(server.posts).toBe(isPassedOn ? 2 : 1);
  });

  test("a redirect that it follows proves nothing of the request before it", async () => {
    const elsewhere = await startResetting();
    const server = await ScriptedServer.start({
      posted: ({ socket }) => reply(socket, "307 Temporary Redirect", "", `Location: ${elsewhere}/plants`),
    });
    cleanups.push(() => server.close());
    const agent = new Agent().compose(interceptors.redirect({ maxRedirections: 1 }));
    const result = await create(`http://127.0.0.1:${server.port}`, through(agent));
    expect(result).toMatchObject({ error: { ...UNKNOWN, attempts: [{ code: "ECONNRESET" }] } });
  });

  test("what it proves for one service it still proves after a request to another", async () => {
    const fetch = through(newAgent());
    const baseUrl = await startResetting(1);
    expect(await create(baseUrl, fetch)).toMatchObject({ ok: true });
    expect(await create(await startResetting(1), fetch)).toMatchObject({ ok: true });
    expect(await create(baseUrl, fetch)).toMatchObject({ ok: false, error: NOT_SENT });
  });

  test.each([
    ["407 Proxy Authentication Required", 1],
    ["502 Bad Gateway", 3],
  ])(
    "a proxy that refuses the tunnel by %s proves that nothing was sent, from the first request on",
    async (status, tries) => {
      const asked: string[] = [];
      const proxy = await startServer((socket) =>
        socket.once("data", (data) => {
          asked.push(`${data}`.split("\r\n", 1)[0] as string);
          socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno`);
        }),
      );
      const fetch = through(new ProxyAgent(proxy));
      const result = await create("https://plants.localhost", fetch);
      expect(result).toMatchObject({ error: NOT_SENT });
      expect(codesOf(result)).toEqual(Array(tries).fill("UND_ERR_ABORTED"));
      expect(asked).toEqual(Array(tries).fill("CONNECT plants.localhost:443 HTTP/1.1"));
    },
  );

  test("an error of a MockAgent proves nothing, even after a request that it passed on to the service", async () => {
    const baseUrl = await startService();
    const agent = new MockAgent();
    cleanups.push(() => agent.close());
    agent.enableNetConnect();
    const pool = agent.get(baseUrl);
    for (const dispatcher of [agent, pool]) {
      const fetch = createUndiciFetch({ dispatcher });
      expect(await create(baseUrl, fetch)).toMatchObject({ ok: true });
      pool.intercept({ path: "/plants", method: "POST" }).replyWithError(new Error("reset"));
      expect(await create(baseUrl, fetch)).toMatchObject({ error: UNKNOWN });
    }
  });
});

describe("through the global fetch", () => {
  /** Replaces the dispatcher of the process. */
  const install = (dispatcher: Dispatcher) => {
    // Undici makes a new wrapper for older handlers each time: the old one is put back as it was.
    const [legacy, current] = [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")];
    const before = { [legacy]: Reflect.get(globalThis, legacy), [current]: Reflect.get(globalThis, current) };
    setGlobalDispatcher(dispatcher);
    cleanups.push(
      () => Object.assign(globalThis, before),
      () => dispatcher.close(),
    );
  };
  const settle = async () => expect(await create(await startService())).toMatchObject({ ok: true });

  test("a TLS handshake that is reset proves that nothing was sent, once a request has gone through", async () => {
    install(newAgent());
    const result = await createAfterOther();
    expect(result).toMatchObject({ error: NOT_SENT });
    expect(codesOf(result)).toEqual(["ECONNRESET", "ECONNRESET", "ECONNRESET"]);
  });

  test("nothing is proven before a request has gone through", async () => {
    install(new Agent());
    expect(await create(await startResetting())).toMatchObject({ error: { ...UNKNOWN, attempts: [{}] } });
  });

  test.each([
    ["an Agent", (agent: Dispatcher) => agent],
    ["an interceptor that keeps the abort", (agent: Dispatcher) => agent.compose(keepAbort)],
  ])("through %s, a request that waits for a connection when its call ends is never sent", async (_name, wrap) => {
    install(wrap(new Agent({ connections: 1 })));
    await settle();
    const { baseUrl, arrived, ids, answerAll } = await startHolding();
    const first = create(baseUrl);
    await arrived(1);
    const queued = untilQueued(1);
    const late = createUntilDeadline(baseUrl);
    await queued;
    expect(await late.atDeadline()).toMatchObject({
      error: { kind: "timeout", outcome: "not-sent", attempts: [{}] },
    });
    answerAll();
    expect(await first).toMatchObject({ ok: true });
    expect(await create(baseUrl)).toMatchObject({ ok: true });
    expect(ids).toHaveLength(2);
  });

  test("a request that fetch sends again after 421 proves nothing", async () => {
    await settle();
    const baseUrl = await startServer((socket, server) =>
      socket.once("data", () => {
        server.close();
        socket.end("HTTP/1.1 421 Misdirected Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      }),
    );
    const result = await create(baseUrl);
    expect(codesOf(result)).toEqual(["ECONNREFUSED"]);
    expect(result).toMatchObject({ error: UNKNOWN });
  });

  test.each([
    ["never calls the hook", deafen],
    ["calls the hook together with the response", callHookLate],
  ])("a dispatcher that %s proves nothing", async (_name, interceptor) => {
    install(newAgent().compose(interceptor));
    expect(await createAfterOther()).toMatchObject({ error: UNKNOWN });
  });

  test("an error of a MockAgent proves nothing, and it sees the body", async () => {
    const agent = new MockAgent();
    install(agent);
    const plants = { path: "/plants", method: "POST", body: '{"id":7,"name":"Fern"}' };
    const pool = agent.get("http://plants.localhost");
    pool.intercept(plants).reply(200, PLANT, { headers: { "content-type": "application/json" } });
    expect(await create("http://plants.localhost")).toMatchObject({ ok: true });
    // The second one may be that of an HTTP/2 connection to the service, on which the agent has passed the request on.
    for (const code of ["ECONNRESET", "ERR_SSL_WRONG_VERSION_NUMBER"]) {
      pool.intercept(plants).replyWithError(Object.assign(new Error("failed"), { code }));
      expect(await create("http://plants.localhost")).toMatchObject({ error: UNKNOWN });
    }
  });
});

describe("a fetch of the application's own is handed the documented init", () => {
  const MEMBERS = ["body", "headers", "method", "redirect", "signal"];

  test("as an option and instead of the global one", async () => {
    const seen: string[][] = [];
    const fetch = async (_url: string, init: RequestInit) => {
      seen.push(Object.keys(init).sort());
      return new Response(PLANT, { headers: { "content-type": "application/json" } });
    };
    const options = { baseUrl: "http://plants.localhost", token: "secret" };
    await new PlantStoreClient({ ...options, fetch }).createPlant(FERN);
    vi.stubGlobal("fetch", fetch);
    cleanups.push(() => vi.unstubAllGlobals());
    await new PlantStoreClient(options).createPlant(FERN);
    expect(seen).toEqual([MEMBERS, MEMBERS]);
  });

  test("and then only the errors of the runtime prove something", async () => {
    const fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init);
    await create(await startService());
    const client = new PlantStoreClient({ baseUrl: await startResetting(), token: "secret", fetch });
    expect(await client.tryCreatePlant(FERN)).toMatchObject({ error: { ...UNKNOWN, attempts: [{}] } });
  });
});

// Node 20 accepts any signal. Later versions refuse that of jsdom's AbortController.
test.each([
  ["the runtime's own fetch", fetch, "unsendable"],
  ["another", async () => new Response(), "nothing"],
])("a signal that %s refuses", (_, given, proof) => {
  const error = new TypeError('RequestInit: Expected signal ("AbortSignal {}") to be an instance of AbortSignal.');
  const settings = { fetch: undefined, baseUrl: "https://plants.test" };
  expect(judgeProof({ error, cause: error, fetch: given, settings, watch: undefined })).toBe(proof);
});

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Attempt, type CreatePlantOptions, type CreatePlantResult, PlantStoreClient } from "plant-store-client";
import { createUndiciFetch, type UndiciFetch } from "plant-store-client/undici";
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
import { describe, expect, test, vi } from "vitest";
import { selfSigned } from "../self-signed.ts";
import { answersOnce } from "./faults/behaviors.ts";
import { type Behavior, PLANT, type Post, reply, ScriptedServer } from "./faults/server.ts";
import { TestClock } from "./fixtures/test-clock.ts";
import { answer, closeOf, FERN, inbox, useServices } from "./fixtures/undici.ts";

const NOT_SENT = { kind: "connection", outcome: "not-sent" };
const UNKNOWN = { kind: "connection", outcome: "unknown" };

const { cleanups } = useServices();

async function start(behavior: Behavior, scheme = "http") {
  const server = await ScriptedServer.start(behavior);
  cleanups.push(() => server.close());
  return { server, baseUrl: `${scheme}://127.0.0.1:${server.port}` };
}

/** A service that responds on demand. */
async function startHolding() {
  const mail = inbox();
  let isOpen = false;
  const posted = (post: Post) => (isOpen ? answer(post) : mail.posted(post));
  const answerAll = () => {
    isOpen = true;
    for (const post of mail.posts) answer(post);
  };
  return { ...(await start({ posted })), arrived: mail.arrived, answerAll };
}

/** The address of a server that creates one plant for each of its first connections, and resets each later TLS handshake. */
async function startResetting(created = 0): Promise<string> {
  const service = createTlsServer(created > 0 ? await selfSigned() : {}, (socket) =>
    socket.once("data", () => reply(socket, "200 OK", PLANT, "Connection: close")),
  );
  let number = 0;
  const connected = (socket: Socket) => {
    if (++number <= created) service.emit("connection", socket);
    else socket.once("data", () => socket.resetAndDestroy());
  };
  return (await start({ connected }, "https")).baseUrl;
}

/** An Agent that accepts the certificate of that server. */
const newAgent = () => new Agent({ connect: { rejectUnauthorized: false } });

/** One call, retried without a wait that counts. */
function create(baseUrl: string, fetch?: UndiciFetch, options?: CreatePlantOptions) {
  vi.spyOn(Math, "random").mockReturnValue(0);
  return new PlantStoreClient({ baseUrl, token: "secret", fetch, maxRetries: 2 }).tryCreatePlant(FERN, options);
}

/** One call whose deadline comes on demand. */
function createUntilDeadline(baseUrl: string, fetch?: UndiciFetch) {
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

/** An interceptor that keeps `abort` to itself, as undici's `dump` does. */
const keepAbort: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const onRequestStart: Dispatcher.DispatchHandler["onRequestStart"] = (controller, context) =>
    handler.onRequestStart?.(Object.assign(controller, { abort: () => {} }), context);
  return dispatch(options, Object.assign(new DecoratorHandler(handler), { onRequestStart }));
};

/** Calls the hook together with the response, as a dispatcher might that does not use sockets (undici-thread-interceptor). */
const callHookLate: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const late = new DecoratorHandler(handler) as Dispatcher.DispatchHandler;
  const onResponseStart: Dispatcher.DispatchHandler["onResponseStart"] = (controller, ...parameters) => {
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, ...parameters);
  };
  return dispatch(options, Object.assign(late, { onRequestStart: () => {}, onResponseStart }));
};

/** Makes a transport over a dispatcher. */
function through(dispatcher: Dispatcher): UndiciFetch {
  cleanups.push(() => dispatcher.close());
  return createUndiciFetch({ dispatcher });
}

/** Makes a dispatcher that of the global `fetch`. */
function install(dispatcher: Dispatcher): undefined {
  // Undici makes a new wrapper for older handlers each time: the old one is put back as it was.
  const [legacy, current] = [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")];
  const before = { [legacy]: Reflect.get(globalThis, legacy), [current]: Reflect.get(globalThis, current) };
  setGlobalDispatcher(dispatcher);
  cleanups.push(
    async () => Object.assign(globalThis, before),
    () => dispatcher.close(),
  );
}

describe.each([
  ["createUndiciFetch", through, ["ECONNRESET"]],
  // The second one may be that of an HTTP/2 connection to the service, on which a MockAgent has passed the request on.
  ["the global fetch", install, ["ECONNRESET", "ERR_SSL_WRONG_VERSION_NUMBER"]],
])("%s over a dispatcher of the application's own", (_name, use, codes) => {
  test("proves nothing before the dispatcher has called the hook for a request to the same service", async () => {
    const fetch = use(newAgent());
    const [first, second] = [await startResetting(1), await startResetting(1)];
    expect(await create(await startResetting(), fetch)).toMatchObject({ error: { ...UNKNOWN, attempts: [{}] } });
    for (const baseUrl of [first, second]) expect(await create(baseUrl, fetch)).toMatchObject({ ok: true });
    const result = await create(first, fetch);
    expect(result).toMatchObject({ error: NOT_SENT });
    expect(codesOf(result)).toEqual(["ECONNRESET", "ECONNRESET", "ECONNRESET"]);
  });

  test.each([
    ["swallows the hook", deafen],
    ["calls the hook together with the response", callHookLate],
  ])("proves nothing through an interceptor that %s", async (_name, interceptor) => {
    const fetch = use(newAgent().compose(interceptor));
    const baseUrl = await startResetting(1);
    expect(await create(baseUrl, fetch)).toMatchObject({ ok: true });
    expect(await create(baseUrl, fetch)).toMatchObject({ error: UNKNOWN });
  });

  test.each([
    ["an Agent", (agent: Agent) => agent],
    ["an interceptor that keeps the abort", (agent: Agent) => agent.compose(keepAbort)],
  ])("never sends a request that waits for a connection when its call ends: %s", async (_name, wrap) => {
    const fetch = use(wrap(new Agent({ connections: 1 })));
    await create((await start({ posted: answer })).baseUrl, fetch);
    const { baseUrl, server, arrived, answerAll } = await startHolding();
    const first = create(baseUrl, fetch);
    await arrived(1);
    const queued = untilQueued(1);
    const late = createUntilDeadline(baseUrl, fetch);
    await queued;
    expect(await late.atDeadline()).toMatchObject({ error: { kind: "timeout", outcome: "not-sent", attempts: [{}] } });
    answerAll();
    expect(await first).toMatchObject({ ok: true });
    expect(await create(baseUrl, fetch)).toMatchObject({ ok: true });
    expect(server.posts).toBe(2);
  });

  test("proves nothing by an error of a MockAgent, even after a request that it passed on to the service", async () => {
    const { baseUrl } = await start({ posted: answer });
    const agent = new MockAgent();
    agent.enableNetConnect();
    const fetch = use(agent);
    expect(await create(baseUrl, fetch)).toMatchObject({ ok: true });
    for (const code of codes) {
      const plants = { path: "/plants", method: "POST", body: JSON.stringify(FERN) };
      agent
        .get(baseUrl)
        .intercept(plants)
        .replyWithError(Object.assign(new Error("failed"), { code }));
      expect(await create(baseUrl, fetch)).toMatchObject({ error: UNKNOWN });
    }
  });
});

test("through createUndiciFetch's own Agent, the first request that waits for a connection at its end is not sent", async () => {
  const { baseUrl, server, arrived, answerAll } = await startHolding();
  const fetch = createUndiciFetch({ connections: 1 });
  cleanups.push(() => fetch.close());
  const first = create(baseUrl, fetch);
  await arrived(1);
  const controller = new AbortController();
  const queued = untilQueued(1);
  const aborted = create(baseUrl, fetch, { signal: controller.signal });
  await queued;
  controller.abort();
  expect(await aborted).toMatchObject({ error: { kind: "aborted", outcome: "not-sent", attempts: [{}] } });
  answerAll();
  expect(await first).toMatchObject({ ok: true });
  expect(server.posts).toBe(1);
});

describe("through a dispatcher that does more than send a request", () => {
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
    const dropping = await start({ connected: (socket) => socket.once("data", () => socket.resetAndDestroy()) });
    const result = await create(dropping.baseUrl, through(again));
    expect(tries).toBe(1);
    expect(result).toMatchObject({ error: { ...UNKNOWN, attempts: [{}] } });
  });

  test.each<[string, (agent: Agent) => Dispatcher, isPassedOn: boolean]>([
    ["a RetryAgent", (agent) => new RetryAgent(agent), false],
    ["the interceptor retry", (agent) => agent.compose(interceptors.retry()), false],
    ["the interceptor responseError", (agent) => agent.compose(interceptors.responseError()), false],
    ["a RetryAgent that throws nothing", (agent) => new RetryAgent(agent, { throwOnError: false }), true],
    ["a retry that throws nothing", (agent) => agent.compose(interceptors.retry({ throwOnError: false })), true],
  ])("a refusal through %s is retried only if it is passed on as a response (%s)", async (_name, wrap, isPassedOn) => {
    const refuseOnce = answersOnce("429 Too Many Requests", '{"error":1,"message":"no"}', "Retry-After: 0");
    const { baseUrl, server } = await start({ posted: refuseOnce() });
    const result = await create(baseUrl, through(wrap(new Agent())));
    const refused = { error: { ...UNKNOWN, attempts: { length: 1 } } };
    expect(result).toMatchObject(isPassedOn ? { ok: true, attempts: [{ status: 429 }, {}] } : refused);
    expect(server.posts).toBe(isPassedOn ? 2 : 1);
  });

  test("a redirect that it follows proves nothing of the request before it", async () => {
    const elsewhere = await startResetting();
    const { baseUrl } = await start({
      posted: ({ socket }) => reply(socket, "307 Temporary Redirect", "", `Location: ${elsewhere}/plants`),
    });
    const result = await create(baseUrl, through(new Agent().compose(interceptors.redirect({ maxRedirections: 1 }))));
    expect(result).toMatchObject({ error: { ...UNKNOWN, attempts: [{ code: "ECONNRESET" }] } });
  });

  test.each([
    ["407 Proxy Authentication Required", 1],
    ["502 Bad Gateway", 3],
  ])(
    "a proxy that refuses the tunnel by %s proves that nothing was sent, from the first request on",
    async (status, tries) => {
      const asked: string[] = [];
      const proxy = await start({
        connected: (socket) =>
          socket.once("data", (data) => {
            asked.push(`${data}`.split("\r\n", 1)[0] as string);
            socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno`);
          }),
      });
      const result = await create("https://plants.localhost", through(new ProxyAgent(proxy.baseUrl)));
      expect(result).toMatchObject({ error: NOT_SENT });
      expect(codesOf(result)).toEqual(Array(tries).fill("UND_ERR_ABORTED"));
      expect(asked).toEqual(Array(tries).fill("CONNECT plants.localhost:443 HTTP/1.1"));
    },
  );
});

test("a response of six content codings that breaks off ends the call, not the process", async () => {
  const codings = `Content-Encoding: ${Array(6).fill("gzip").join(", ")}`;
  let socket: Socket | undefined;
  const { baseUrl } = await start({
    posted: (post) => {
      socket = post.socket;
      socket.write(`HTTP/1.1 200 OK\r\n${codings}\r\nContent-Length: 32\r\n\r\n`);
    },
  });
  const result = await create(baseUrl);
  expect(result).toMatchObject({ error: UNKNOWN });
  const closed = closeOf(socket as Socket);
  socket?.end();
  await closed;
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
    await new PlantStoreClient(options).createPlant(FERN);
    expect(seen).toEqual([MEMBERS, MEMBERS]);
  });

  test("and then only the errors of the runtime prove something", async () => {
    const fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init);
    const client = new PlantStoreClient({ baseUrl: await startResetting(), token: "secret", fetch });
    expect(await client.tryCreatePlant(FERN)).toMatchObject({ error: { ...UNKNOWN, attempts: [{}] } });
  });
});

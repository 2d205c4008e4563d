import { channel } from "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import { PlantStoreClient } from "plant-store-client";
import { createUndiciFetch } from "plant-store-client/undici";
import type { buildConnector, Dispatcher } from "undici";
import { afterEach, expect, test, vi } from "vitest";

/** What the agents of a test were given, and what they do with a request. */
const agents = vi.hoisted(() => ({
  options: [] as unknown[],
  requests: [] as object[],
  dispatch: (_handler: unknown, _number: number) => {},
  /** How undici's own connector ends. */
  connected: [] as unknown[],
}));

// Undici 8 cannot be loaded by Node 20; test/runtimes/http2.mjs runs it on Node 24.
vi.mock("undici", () => ({
  Dispatcher1Wrapper: class {
    get eventSourceOptions() {
      return {};
    }
  },
  buildConnector: () => (_options: object, callback: (...connected: unknown[]) => void) =>
    callback(...agents.connected),
  Agent: class {
    #number = 0;
    constructor(options: unknown) {
      agents.options.push(options);
    }
    dispatch(request: object, handler: unknown) {
      agents.requests.push(request);
      agents.dispatch(handler, ++this.#number);
      return true;
    }
    async close() {}
  },
}));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function createClient() {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const fetch = createUndiciFetch({ http2: true });
  return new PlantStoreClient({ baseUrl: "https://plants.localhost", token: "secret", fetch });
}

/** The controller that undici hands to a handler, whose abort it reports back. */
const controllerOf = (handler: Dispatcher.DispatchHandler) =>
  ({
    abort: (reason: Error) => handler.onResponseError?.(controllerOf(handler), reason),
  }) as Dispatcher.DispatchController;

function answer(handler: Dispatcher.DispatchHandler) {
  const controller = controllerOf(handler);
  handler.onResponseStart?.(controller, 200, { "content-type": "application/json" });
  handler.onResponseData?.(controller, Buffer.from('{"name":"Fern"}'));
  handler.onResponseEnd?.(controller, {});
}

test("http2 lets the agent speak HTTP/2", async () => {
  createClient();
  expect(agents.options.at(-1)).toEqual({
    connections: null,
    allowH2: true,
    connect: expect.any(Function),
    h2Options: { pingInterval: 10_000 },
  });
});

/** The agent's connector, if undici's own ends like this. */
function connectLike(...connected: unknown[]) {
  createClient();
  agents.connected = connected;
  const { connect } = agents.options.at(-1) as { connect: buildConnector.connector };
  const callback = vi.fn();
  connect({} as buildConnector.Options, callback);
  expect(callback.mock.calls).toEqual([connected]);
}

test("an HTTP/2 connection ends once what arrived before has been read", async () => {
  const socket = Object.assign(new EventEmitter(), { alpnProtocol: "h2" });
  connectLike(null, socket);
  const events: unknown[] = [];
  socket.on("end", () => events.push("end")).on("timeout", (...values) => events.push("timeout", ...values));
  expect([socket.emit("end"), socket.emit("timeout", 1), socket.emit("drain")]).toEqual([true, true, false]);
  expect(events).toEqual(["timeout", 1]);
  await once(socket, "end");
  expect(events).toEqual(["timeout", 1, "end"]);
  socket.emit("close");
});

test("an HTTP/1.1 connection ends at once", () => {
  const socket = Object.assign(new EventEmitter(), { alpnProtocol: "http/1.1" });
  connectLike(null, socket);
  const onEnd = vi.fn();
  socket.on("end", onEnd).emit("end");
  expect(onEnd).toHaveBeenCalledOnce();
});

test("an HTTP/2 connection on which no PING is answered is destroyed, so that the next request opens another", () => {
  vi.useFakeTimers();
  const socket = Object.assign(new EventEmitter(), { alpnProtocol: "h2", bytesRead: 7, destroy: vi.fn() });
  connectLike(null, socket);
  vi.advanceTimersByTime(20_000);
  socket.bytesRead++;
  vi.advanceTimersByTime(39_999);
  expect(socket.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(socket.destroy.mock.calls).toMatchObject([
    [{ code: "ETIMEDOUT", message: "The service no longer answers on the HTTP/2 connection" }],
  ]);
  socket.emit("close");
  expect(vi.getTimerCount()).toBe(0);
});

test("a stream of an HTTP/2 connection is reset when undici closes it, even if its body is not yet written", () => {
  const socket = Object.assign(new EventEmitter(), { alpnProtocol: "h2" });
  connectLike(null, socket);
  const closeOn = (on: object, ...parameters: number[]) => {
    const close = vi.fn();
    const session = Object.assign(new EventEmitter(), { socket: on });
    const stream = Object.assign(new EventEmitter(), { close: close as (code?: number) => void, session });
    channel("http2.client.stream.created").publish({ stream, headers: {} });
    stream.close(...parameters);
    return close.mock.calls.map(([code]) => code);
  };
  expect(closeOn(socket)).toEqual([8]);
  expect(closeOn(socket, 2)).toEqual([2]);
  // Of an HTTP/2 client of the application.
  expect(closeOn(new EventEmitter())).toEqual([undefined]);
  socket.emit("close");
});

test("a failure to connect is passed on", () => {
  connectLike(new Error("no route"), null);
});

test("a request without a body gets none", async () => {
  agents.dispatch = (handler) => answer(handler as Dispatcher.DispatchHandler);
  const fetch = createUndiciFetch({ http2: true });
  const response = await fetch("https://plants.localhost/plants", { method: "GET", headers: {}, body: null });
  expect(response.status).toBe(200);
  expect(agents.requests.at(-1)).toMatchObject({ method: "GET", headers: ["accept-encoding", "identity"], body: null });
});

test("a request that undici is about to send again is sent again by the client, as an attempt of its own", async () => {
  agents.dispatch = (each, number) => {
    const handler = each as Dispatcher.DispatchHandler;
    handler.onRequestStart?.(controllerOf(handler), null);
    if (number === 1) handler.onRequestStart?.(controllerOf(handler), null);
    else answer(handler);
  };
  expect(await createClient().tryCreatePlant({ id: 7, name: "Fern" })).toMatchObject({
    ok: true,
    attempts: [{ reason: "network", code: "HTTP2_REQUEST_REFUSED" }, { reason: "ok" }],
  });
});

const NOT_PROCESSED = {
  "a stream that a GOAWAY leaves out": 'HTTP/2: "GOAWAY" frame received with code 0',
  "a stream whose HEADERS frame was not sent": 'HTTP/2: "frameError" received - type 1, code 3',
};
const PERHAPS_PROCESSED = {
  // HAProxy sends it also if the service has stored the plant and closes a reused connection without a response.
  "a refused stream": "Stream closed with error code NGHTTP2_REFUSED_STREAM",
  "a GOAWAY with the code of a refused stream": "Session closed with error code 7",
  "a stream that was reset for another reason": "Stream closed with error code NGHTTP2_INTERNAL_ERROR",
  "a DATA frame that was not sent": 'HTTP/2: "frameError" received - type 0, code 3',
};

/** How the call ends if every request fails with this message, before or after its response begins. */
async function outcomeOf(message: string, hasResponse = false) {
  agents.dispatch = (each) => {
    const handler = each as Dispatcher.DispatchHandler;
    handler.onRequestStart?.(controllerOf(handler), null);
    if (hasResponse) handler.onResponseStart?.(controllerOf(handler), 200, { "content-type": "application/json" });
    handler.onResponseError?.(controllerOf(handler), Object.assign(new Error(message), { http2ErrorCode: 7 }));
  };
  const result = await createClient().tryCreatePlant({ id: 7, name: "Fern" });
  return result.ok ? "ok" : [result.error.kind, result.error.outcome, result.attempts.length];
}

/** How the call ends if its stream is refused after these GOAWAYs of its connection, which name their last stream. */
async function outcomeAfter(...lastStreams: number[]) {
  const socket = Object.assign(new EventEmitter(), { alpnProtocol: "h2" });
  connectLike(null, socket);
  const session = Object.assign(new EventEmitter(), { socket });
  agents.dispatch = (each, number) => {
    const handler = each as Dispatcher.DispatchHandler;
    handler.onRequestStart?.(controllerOf(handler), null);
    const stream = Object.assign(new EventEmitter(), { id: 2 * number - 1, session, close() {} });
    channel("http2.client.stream.created").publish({ stream, headers: {} });
    for (const last of lastStreams) session.emit("goaway", 0, last);
    const error = new Error("Stream closed with error code NGHTTP2_REFUSED_STREAM");
    stream.on("error", () => handler.onResponseError?.(controllerOf(handler), error)).emit("error", error);
  };
  const result = await createClient().tryCreatePlant({ id: 7, name: "Fern" });
  socket.emit("close");
  return result.ok ? "ok" : [result.error.kind, result.error.outcome, result.attempts.length];
}

test("a stream that the second GOAWAY of a graceful shutdown leaves out was not processed, and is retried", async () => {
  expect(await outcomeAfter(2 ** 31 - 1, 0)).toEqual(["connection", "rejected", 3]);
});

test("a refused stream that every GOAWAY covers proves nothing", async () => {
  expect(await outcomeAfter(2 ** 31 - 1, 1)).toEqual(["connection", "unknown", 1]);
  expect(await outcomeAfter()).toEqual(["connection", "unknown", 1]);
});

test.each(Object.entries(NOT_PROCESSED))("%s was not processed, and is retried", async (_name, message) => {
  expect(await outcomeOf(message)).toEqual(["connection", "rejected", 3]);
});

test.each(Object.entries(PERHAPS_PROCESSED))("%s proves nothing", async (_name, message) => {
  expect(await outcomeOf(message)).toEqual(["connection", "unknown", 1]);
});

test.each(Object.entries(NOT_PROCESSED))("%s proves nothing once its response has begun", async (_name, message) => {
  expect(await outcomeOf(message, true)).toEqual(["connection", "unknown", 1]);
});

test("undici cannot send the body twice, and so sends no request again by itself", async () => {
  agents.dispatch = (each) => answer(each as Dispatcher.DispatchHandler);
  await createClient().createPlant({ id: 7, name: "Färn" });
  const { headers, body } = agents.requests.at(-1) as { headers: string[]; body: string[] };
  // Neither a string nor bytes, nor anything else that undici keeps.
  expect(body).toEqual(['{"id":7,"name":"Färn"}']);
  expect(headers.slice(-2)).toEqual(["content-length", "23"]);
});

test("a 204 is aborted, because its body is not read, and may never end", async () => {
  const aborted = new Promise<Error>((resolve) => {
    agents.dispatch = (each) => {
      const handler = each as Dispatcher.DispatchHandler;
      const controller = { abort: resolve } as unknown as Dispatcher.DispatchController;
      handler.onRequestStart?.(controller, null);
      handler.onResponseStart?.(controller, 204, {});
    };
  });
  expect(await createClient().tryCreatePlant({ id: 7, name: "Fern" })).toMatchObject({
    error: { kind: "response", status: 204, outcome: "unknown" },
  });
  expect(await aborted).toMatchObject({ message: "The body was canceled" });
});

test("a service that refuses every stream has rejected the plant", async () => {
  agents.dispatch = (each) => {
    const handler = each as Dispatcher.DispatchHandler;
    for (let start = 0; start < 2; start++) handler.onRequestStart?.(controllerOf(handler), null);
  };
  expect(await createClient().tryCreatePlant({ id: 7, name: "Fern" })).toMatchObject({
    error: {
      kind: "connection",
      outcome: "rejected",
      attempts: { length: 3 },
      cause: { message: "The service refused the HTTP/2 stream before it processed the request" },
    },
  });
});

test("of requests that end at the same time, none that waits is written in place of one that is aborted", async () => {
  const written: number[] = [];
  const waiting: (() => void)[] = [];
  agents.dispatch = (each, number) => {
    const handler = each as Dispatcher.DispatchHandler;
    const next = () => waiting.shift()?.();
    const start = () => {
      try {
        handler.onRequestStart?.({ abort: next } as unknown as Dispatcher.DispatchController, null);
        written.push(number);
      } catch {
        next();
      }
    };
    if (number === 1) start();
    else waiting.push(start);
  };
  const client = createClient();
  const stop = new AbortController();
  const calls = [1, 2, 3].map((id) => client.tryCreatePlant({ id, name: "Fern" }, { signal: stop.signal }));
  stop.abort();
  const outcomes = (await Promise.all(calls)).map((result) => !result.ok && result.error.outcome);
  await vi.waitUntil(() => waiting.length === 0);
  expect(outcomes).toEqual(["unknown", "not-sent", "not-sent"]);
  expect(written).toEqual([1]);
});

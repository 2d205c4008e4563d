// What src/platform/global-dispatch.ts relies on, although nobody promises it: a release of Node or undici that changes it fails
// here, and not in the proof of an outcome. It prints how each case went.
import { once } from "node:events";
import { createServer } from "node:net";

const { undici: major } = JSON.parse(process.argv[2]);
const CURRENT = ["onRequestStart", "onResponseStart", "onResponseError", "onResponseEnd"];
const LEGACY = ["onConnect", "onHeaders", "onError", "onComplete"];
const BODY = '{"id":1}';

/** A service that counts the bytes that it receives, and ends each request as told. */
async function startService(end) {
  const service = { bytes: 0, port: 0, close: () => {} };
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.on("data", (data) => {
      service.bytes += data.length;
      if (`${data}`.endsWith(BODY)) end(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  service.port = server.address().port;
  service.close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return service;
}

const answer = (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
const reset = (socket) => socket.resetAndDestroy();
const post = (port, more) => fetch(`http://127.0.0.1:${port}/plants`, { method: "POST", body: BODY, ...more });

const dispatchers = () => ["1", "2"].map((number) => globalThis[Symbol.for(`undici.globalDispatcher.${number}`)]);

/** The global dispatcher for a handler, as the client chooses it. */
function targetOf(handler) {
  const [legacy, current = legacy] = dispatchers();
  return handler.onRequestStart ? current : legacy;
}

/** One POST by the global fetch, with hooks that are replaced by `replace`. Returns what it passed to `dispatch`. */
async function watched(port, replace) {
  const seen = {};
  const dispatcher = {
    dispatch(options, handler) {
      seen.origin = options.origin;
      seen.hooks = handler.onRequestStart ? CURRENT : LEGACY;
      seen.isComplete = seen.hooks.every((name) => typeof handler[name] === "function") && Object.isExtensible(handler);
      for (const [index, name] of seen.hooks.entries()) {
        const original = handler[name];
        handler[name] = function (...parameters) {
          replace?.(index, parameters);
          return original.apply(this, parameters);
        };
      }
      return targetOf(handler).dispatch(options, handler);
    },
  };
  seen.error = await post(port, { dispatcher }).then(
    (response) => response.text().then(() => undefined),
    (error) => error,
  );
  return seen;
}

const ofNode = {
  "the source of the global fetch names undici": async () => {
    ok(Function.prototype.toString.call(fetch).includes("internal/deps/undici/undici"));
  },

  "the global dispatchers are known by their symbols; if there are two, the first wraps the second": async () => {
    const [legacy, current] = dispatchers();
    ok(typeof legacy?.dispatch === "function", "no undici.globalDispatcher.1");
    const isOne = current === undefined || current === legacy;
    ok(isOne || legacy.constructor.name === "Dispatcher1Wrapper", legacy.constructor.name);
  },

  "fetch gives a dispatcher in its init the origin, and a handler whose hooks can be replaced": async ({
    answering,
  }) => {
    const calls = [];
    const { origin, isComplete, error } = await watched(answering.port, (index) => calls.push(index));
    ok(isComplete && error === undefined, `${error}`);
    ok(`${origin}` === `http://127.0.0.1:${answering.port}`, `${origin}`);
    ok(`${calls}` === "0,1,3", `called in the order ${calls}`);
  },

  "the first hook is called before any byte is written: if it throws, nothing is": async ({ answering }) => {
    const before = answering.bytes;
    const mine = new Error("mine");
    const { error } = await watched(answering.port, (index) => {
      if (index === 0) throw mine;
    });
    ok(error !== undefined, "fetch resolved");
    await new Promise((resolve) => setTimeout(resolve, 100));
    ok(answering.bytes === before, `${answering.bytes - before} bytes`);
  },

  "a failure calls the last hook with the error that is the cause of fetch's own": async ({ resetting }) => {
    const failures = [];
    const { error } = await watched(
      resetting.port,
      (index, parameters) => index === 2 && failures.push(parameters.at(-1)),
    );
    ok(failures.length === 1 && error?.cause === failures[0], `${failures}`);
  },

  "a refused connection fails without the first hook": async ({ gone }) => {
    const calls = [];
    const { error } = await watched(gone, (index) => calls.push(index));
    ok(`${calls}` === "2" && error?.cause?.code === "ECONNREFUSED", `${calls}, ${error?.cause?.code}`);
  },
};

/** The same of undici itself, through which createUndiciFetch() sends. */
async function casesOfUndici() {
  const { Agent, MockAgent } = await import("undici");
  const agent = new Agent();
  const hooks = major === 6 ? LEGACY : CURRENT;

  /** One POST by `dispatch`, whose handler has the hooks of every version. */
  const dispatch = (port, replace) =>
    new Promise((resolve) => {
      const calls = [];
      const note = (name) => [
        name,
        (...parameters) => {
          calls.push(name);
          replace?.(name, parameters);
          const ends = ["onError", "onResponseError", "onComplete", "onResponseEnd"];
          if (ends.includes(name)) resolve({ calls, parameters });
          return true;
        },
      ];
      const ends = ["onData", "onComplete", "onResponseData", "onResponseEnd"];
      const handler = Object.fromEntries([...CURRENT, ...LEGACY, ...ends].map(note));
      const options = { origin: `http://127.0.0.1:${port}`, path: "/plants", method: "POST", body: BODY };
      agent.dispatch(options, handler);
    });

  return {
    "undici calls the hooks of its version, in their order": async ({ answering }) => {
      const { calls } = await dispatch(answering.port);
      ok(`${calls.slice(0, 2)}` === `${hooks.slice(0, 2)}`, `${calls}`);
    },
    "the first hook of undici is called before any byte is written: if it throws, nothing is": async ({
      answering,
    }) => {
      const before = answering.bytes;
      const mine = new Error("mine");
      const { parameters } = await dispatch(answering.port, (name) => {
        if (name === hooks[0]) throw mine;
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      ok(answering.bytes === before && parameters.includes(mine), `${answering.bytes - before} bytes, ${parameters}`);
    },
    "a refused connection fails without the first hook of undici": async ({ gone }) => {
      const { calls } = await dispatch(gone);
      ok(`${calls}` === hooks[2], `${calls}`);
    },
    "a mock of undici is known by its members": async () => {
      const mock = new MockAgent();
      const pool = mock.get("http://127.0.0.1");
      ok("isMockActive" in mock && "intercept" in pool && !("intercept" in agent) && !("isMockActive" in agent));
      await mock.close();
    },
    "undici leaves no connection behind": () => agent.close(),
  };
}

function ok(condition, what = "it is not so") {
  if (!condition) throw new Error(what);
}

const [answering, resetting] = await Promise.all([answer, reset].map(startService));
const closed = await startService(() => {});
closed.close();
// The dispatchers exist after the first request.
await (await post(answering.port)).text();
const cases = { ...ofNode, ...(major ? await casesOfUndici() : {}) };
const results = [];
for (const [name, run] of Object.entries(cases)) {
  try {
    await run({ answering, resetting, gone: closed.port });
    results.push({ name });
  } catch (error) {
    results.push({ name, problem: `${error?.stack ?? error}` });
  }
}
answering.close();
resetting.close();
console.log(JSON.stringify(results));

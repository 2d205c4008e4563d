import { Agent, setGlobalDispatcher } from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DispatchWatch } from "../../src/platform/dispatch-watch.ts";
import { watchDispatch } from "../../src/platform/global-dispatch.ts";

type Dispatch = (options: object, handler: object) => boolean;
type Handler = Record<string, (...parameters: unknown[]) => unknown>;

const LEGACY = Symbol.for("undici.globalDispatcher.1");
const CURRENT = Symbol.for("undici.globalDispatcher.2");
const TO_PLANTS = { origin: "http://plants.localhost" };
const dispatchers = globalThis as unknown as Record<symbol, object | undefined>;

/** A dispatcher that keeps the handlers that it is given. */
class Recording {
  readonly handlers: Handler[] = [];
  readonly dispatch: Dispatch = (_options, handler) => {
    this.handlers.push(handler as Handler);
    return true;
  };
}

let before: (object | undefined)[] = [];
beforeEach(() => {
  before = [dispatchers[LEGACY], dispatchers[CURRENT]];
  setGlobalDispatcher(new Agent());
});
afterEach(() => {
  [dispatchers[LEGACY], dispatchers[CURRENT]] = before;
});

function install(legacy?: object, current?: object): void {
  dispatchers[LEGACY] = legacy;
  dispatchers[CURRENT] = current;
}

/** What watches the next request of Node's own fetch. */
function watchNext(): DispatchWatch & { readonly dispatch: Dispatch } {
  const init: { dispatcher?: unknown } = {};
  const watch = watchDispatch(globalThis.fetch, init as RequestInit);
  expect(watch).toBe(init.dispatcher);
  return watch as DispatchWatch & { readonly dispatch: Dispatch };
}

/** The hooks of each kind of handler: before a request is written, at its response, at its failure, at its end. */
const HOOKS = {
  legacy: ["onConnect", "onHeaders", "onError", "onComplete"],
  current: ["onRequestStart", "onResponseStart", "onResponseError", "onResponseEnd"],
} as const;

type Kind = keyof typeof HOOKS;
const handlerOf = (kind: Kind, told: string[] = []) =>
  Object.fromEntries(HOOKS[kind].map((name) => [name, () => void told.push(name)]));
const error = new Error("reset");

/** What the hook of each kind is given with a response. */
const MISDIRECTED = {
  legacy: [421, ["X-Gateway", "1"], expect.any(Function), "Misdirected Request"],
  current: [{ rawHeaders: ["X-Gateway", "1"] }, 421, { "x-gateway": "1" }, "Misdirected Request"],
};

/** Dispatches a request. `told` lists the hooks that reached its own handler. */
function dispatch(kind: Kind, to: Recording) {
  install(to, to);
  const told: string[] = [];
  const watch = watchNext();
  const again = () => watch.dispatch(TO_PLANTS, handlerOf(kind, told));
  again();
  const handler = to.handlers.pop() as Handler;
  const [onStart, onResponse, onFailure] = HOOKS[kind];
  const call = (name: string) => () => void handler[name]?.({}, error);
  const respond = (...parameters: unknown[]) => handler[onResponse]?.(...parameters);
  return { watch, told, again, start: call(onStart), respond, fail: call(onFailure) };
}

/** A dispatcher that has called the hook before a response from `http://plants.localhost`. */
async function trustedBy(kind: Kind): Promise<Recording> {
  const recording = new Recording();
  dispatch(kind, recording).start();
  await Promise.resolve();
  return recording;
}

describe.each(["legacy", "current"] as const)("a request with a handler of the %s kind", (kind) => {
  test("had not begun if it failed before the hook, and the handler is called", async () => {
    const { watch, told, fail } = dispatch(kind, await trustedBy(kind));
    fail();
    expect(watch.hadBegun(new Error("another"))).toBeUndefined();
    expect(watch.hadBegun(new TypeError("fetch failed", { cause: error }))).toBe(false);
    expect(told).toEqual([HOOKS[kind][2]]);
  });

  test("does not begin any more once its call is over", async () => {
    const { watch, told, start, again } = dispatch(kind, await trustedBy(kind));
    expect(watch.stop()).toBe(true);
    expect(start).toThrow("reported as not sent");
    expect(again).toThrow("reported as not sent");
    expect(told).toEqual([]);
  });

  test("is not sent again after 421: its second handler gets the same response", async () => {
    const to = await trustedBy(kind);
    const { watch, start, respond } = dispatch(kind, to);
    start();
    respond(...MISDIRECTED[kind]);
    const second: unknown[][] = [];
    const note =
      (name: string) =>
      (...parameters: unknown[]) =>
        void second.push([name, ...parameters]);
    watch.dispatch(TO_PLANTS, Object.fromEntries(HOOKS[kind].map((name) => [name, note(name)])));
    const [onStart, onResponse, , onEnd] = HOOKS[kind];
    expect(second.map(([name]) => name)).toEqual([onStart, onResponse, onEnd]);
    expect(second[1]).toMatchObject([onResponse, ...MISDIRECTED[kind]]);
    expect(to.handlers).toEqual([]);
  });

  test("may have begun if it was handed in twice", async () => {
    const { watch, again } = dispatch(kind, await trustedBy(kind));
    again();
    expect([watch.hadBegun(error), watch.stop()]).toEqual([true, false]);
  });
});

test.each<[string, object]>([
  ["has no hook", {}],
  ["has hooks that are not functions", { onConnect: 1, onHeaders: 1, onError: 1, onComplete: 1 }],
  ["cannot be changed", Object.freeze(handlerOf("legacy"))],
  ...["onConnect", "onError", "onRequestStart", "onResponseError"].map((name): [string, object] => [
    ...([`has ${name} alone`, { [name]: () => {} }] as const),
  ]),
])("a handler that %s is passed on, and proves nothing", async (_name, handler) => {
  const recording = await trustedBy("legacy");
  const watch = watchNext();
  watch.dispatch(TO_PLANTS, handler);
  expect(recording.handlers).toEqual([handler]);
  expect([watch.hadBegun(new Error("reset")), watch.stop()]).toEqual([undefined, false]);
});

describe("the dispatcher of Node's own fetch", () => {
  const mock = () => Object.assign(new Recording(), { isMockActive: true });

  // Undici 8 installs two, and undici 6 replaces one of them.
  test("is the one for handlers of its kind", () => {
    const [legacy, current] = [new Recording(), new Recording()];
    install(legacy, current);
    for (const kind of ["legacy", "current"] as const) watchNext().dispatch(TO_PLANTS, handlerOf(kind));
    expect([legacy.handlers.length, current.handlers.length]).toEqual([1, 1]);
  });

  test("is the only one that there is", () => {
    const recording = new Recording();
    install(recording);
    watchNext().dispatch(TO_PLANTS, handlerOf("legacy"));
    expect(recording.handlers).toHaveLength(1);
  });

  test.each([
    ["none, as before the first request", undefined, undefined],
    ["none for older handlers", undefined, new Recording()],
    ["a mock", mock(), undefined],
    ["a mock that undici 8 wraps for the other kind", new Recording(), mock()],
    ["a mock of undici 6 alone", mock(), new Recording()],
  ])("is left to fetch itself if there is %s", (_name, legacy, current) => {
    install(legacy, current);
    const init: RequestInit = {};
    expect(watchDispatch(globalThis.fetch, init)).toBeUndefined();
    expect(init).toEqual({});
  });
});

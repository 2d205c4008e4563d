import { Agent, setGlobalDispatcher } from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DispatchWatch } from "../../src/proof/dispatch-watch.ts";
import { watchDispatch } from "../../src/proof/dispatch-watch.ts";

type Dispatch = (options: object, handler: object) => boolean;

const LEGACY = Symbol.for("undici.globalDispatcher.1");
const CURRENT = Symbol.for("undici.globalDispatcher.2");
const TO_PLANTS = { origin: "http://plants.localhost" };
const dispatchers = globalThis as unknown as Record<symbol, object | undefined>;

/** A dispatcher that has called a hook before, and keeps the handlers that it is given. */
class Recording {
  readonly handlers: Record<string, (...parameters: unknown[]) => unknown>[] = [];
  readonly dispatch: Dispatch = (_options, handler) => {
    this.handlers.push(handler as Recording["handlers"][number]);
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

/** Replaces both dispatchers with one. */
function install(): Recording {
  const recording = new Recording();
  dispatchers[LEGACY] = recording;
  dispatchers[CURRENT] = recording;
  return recording;
}

/** What watches the next request of Node's own fetch. */
function watchNext(): DispatchWatch & { readonly dispatch: Dispatch } {
  const init: { dispatcher?: unknown } = {};
  const watch = watchDispatch(globalThis.fetch, init as RequestInit);
  expect(watch).toBe(init.dispatcher);
  return watch as DispatchWatch & { readonly dispatch: Dispatch };
}

/** A handler for undici that records its calls. */
function handlerOf(kind: "legacy" | "current") {
  const told: string[] = [];
  const note = (name: string) => () => void told.push(name);
  const handler =
    kind === "legacy"
      ? { onConnect: note("start"), onHeaders: note("response"), onError: note("error") }
      : { onRequestStart: note("start"), onResponseStart: note("response"), onResponseError: note("error") };
  return { handler, told };
}

/** Calls the hook of a handler. */
function start(handler: Recording["handlers"][number]): void {
  if (handler.onConnect) handler.onConnect(() => {});
  else handler.onRequestStart?.({ abort: () => {} });
}

/** A dispatcher that has been seen to call the hook before a response from `http://plants.localhost`. */
async function trusted(kind: "legacy" | "current"): Promise<Recording> {
  const recording = install();
  watchNext().dispatch(TO_PLANTS, handlerOf(kind).handler);
  start(recording.handlers.pop() as Recording["handlers"][number]);
  await Promise.resolve();
  return recording;
}

describe.each(["legacy", "current"] as const)("a request with a handler of the %s kind", (kind) => {
  const fail = (handler: Recording["handlers"][number], error: unknown) =>
    kind === "legacy" ? handler.onError?.(error) : handler.onResponseError?.({}, error);

  const respond = (handler: Recording["handlers"][number]) =>
    kind === "legacy" ? handler.onHeaders?.(200) : handler.onResponseStart?.({}, 200);

  test("had not begun if it failed before the hook, and the handler is called", async () => {
    const { handlers } = await trusted(kind);
    const watch = watchNext();
    const { handler, told } = handlerOf(kind);
    watch.dispatch(TO_PLANTS, handler);
    const error = new Error("reset");
    fail(handlers[0] as never, error);
    expect(watch.hadBegun(new TypeError("fetch failed", { cause: error }))).toBe(false);
    expect(told).toEqual(["error"]);
  });

  test("says nothing of another error", async () => {
    const { handlers } = await trusted(kind);
    const watch = watchNext();
    watch.dispatch(TO_PLANTS, handlerOf(kind).handler);
    fail(handlers[0] as never, new Error("reset"));
    expect(watch.hadBegun(new Error("another"))).toBeUndefined();
    expect(watch.hadBegun(undefined)).toBeUndefined();
  });

  test("says nothing of an error that its dispatcher did not report, and may still begin", async () => {
    const { handlers } = await trusted(kind);
    const watch = watchNext();
    watch.dispatch(TO_PLANTS, handlerOf(kind).handler);
    expect(watch.hadBegun(new Error("another"))).toBeUndefined();
    start(handlers[0] as never);
    expect(watch.hasBegun).toBe(true);
  });

  test("had begun after the hook, with any failure after it", async () => {
    const { handlers } = await trusted(kind);
    const watch = watchNext();
    const { handler, told } = handlerOf(kind);
    watch.dispatch(TO_PLANTS, handler);
    start(handlers[0] as never);
    const error = new Error("reset");
    fail(handlers[0] as never, error);
    expect(watch.hadBegun(error)).toBe(true);
    expect(watch.stop()).toBe(false);
    expect(told).toEqual(["start", "error"]);
  });

  test("does not begin any more once its call is over", async () => {
    const { handlers } = await trusted(kind);
    const watch = watchNext();
    const { handler, told } = handlerOf(kind);
    watch.dispatch(TO_PLANTS, handler);
    expect(watch.stop()).toBe(true);
    expect(() => start(handlers[0] as never)).toThrow("reported as not sent");
    expect(told).toEqual([]);
    expect(() => watch.dispatch(TO_PLANTS, handlerOf(kind).handler)).toThrow("reported as not sent");
  });

  test("may have begun if it was handed in twice", async () => {
    await trusted(kind);
    const watch = watchNext();
    watch.dispatch(TO_PLANTS, handlerOf(kind).handler);
    watch.dispatch(TO_PLANTS, handlerOf(kind).handler);
    expect(watch.stop()).toBe(false);
    expect(watch.hadBegun(new Error("reset"))).toBe(true);
  });

  test("says nothing if its dispatcher has never called the hook", () => {
    const { handlers } = install();
    const watch = watchNext();
    watch.dispatch(TO_PLANTS, handlerOf(kind).handler);
    expect(watch.stop()).toBe(false);
    const error = new Error("reset");
    fail(handlers[0] as never, error);
    expect(watch.hadBegun(error)).toBeUndefined();
  });

  test("says nothing if its dispatcher called the hook together with the response", async () => {
    const { handlers } = install();
    const answered = handlerOf(kind);
    watchNext().dispatch(TO_PLANTS, answered.handler);
    const first = handlers.pop() as Recording["handlers"][number];
    start(first);
    respond(first);
    await Promise.resolve();
    expect(answered.told).toEqual(["start", "response"]);
    const watch = watchNext();
    watch.dispatch(TO_PLANTS, handlerOf(kind).handler);
    expect(watch.stop()).toBe(false);
  });

  test("had begun if it failed after its response arrived", async () => {
    const { handlers } = install();
    const watch = watchNext();
    watch.dispatch(TO_PLANTS, handlerOf(kind).handler);
    start(handlers[0] as never);
    respond(handlers[0] as never);
    const error = new Error("reset");
    fail(handlers[0] as never, error);
    expect(watch.hadBegun(error)).toBe(true);
  });

  test("says nothing if its dispatcher has called the hook only for another origin", async () => {
    await trusted(kind);
    const watch = watchNext();
    watch.dispatch({ origin: "http://others.localhost" }, handlerOf(kind).handler);
    expect(watch.stop()).toBe(false);
  });
});

test.each([
  ["has no hook", {}],
  ["has a hook that is not a function", { onConnect: 1, onHeaders: 1, onError: 1 }],
  ["cannot be changed", Object.freeze(handlerOf("legacy").handler)],
])("a handler that %s is passed on, and proves nothing", async (_name, handler) => {
  const { handlers } = await trusted("legacy");
  const watch = watchNext();
  watch.dispatch(TO_PLANTS, handler);
  expect(handlers).toEqual([handler]);
  expect(watch.stop()).toBe(false);
  expect(watch.hadBegun(new Error("reset"))).toBeUndefined();
});

describe("the dispatcher of Node's own fetch", () => {
  class Dispatcher1Wrapper extends Recording {}
  const mock = () => Object.assign(new Recording(), { isMockActive: true });

  test("is the one for handlers of its kind, where undici 8 wraps its own for the other", () => {
    const legacy = new Dispatcher1Wrapper();
    const current = new Recording();
    dispatchers[LEGACY] = legacy;
    dispatchers[CURRENT] = current;
    watchNext().dispatch(TO_PLANTS, handlerOf("legacy").handler);
    watchNext().dispatch(TO_PLANTS, handlerOf("current").handler);
    expect([legacy.handlers.length, current.handlers.length]).toEqual([1, 1]);
  });

  test("is the only one that there is", () => {
    const { handlers } = install();
    dispatchers[CURRENT] = undefined;
    watchNext().dispatch(TO_PLANTS, handlerOf("legacy").handler);
    expect(handlers).toHaveLength(1);
  });

  test.each(["onConnect", "onError", "onRequestStart", "onResponseError"])(
    "passes on a handler with %s alone",
    (name) => {
      const { handlers } = install();
      const hook = () => {};
      watchNext().dispatch({}, { [name]: hook });
      expect(handlers).toEqual([{ [name]: hook }]);
    },
  );

  test.each([
    ["two that have nothing to do with each other", new Recording(), new Recording()],
    ["none, as before the first request", undefined, undefined],
    ["none for older handlers", undefined, new Recording()],
    ["a mock", mock(), undefined],
    ["a mock that undici 8 wraps for the other kind", new Dispatcher1Wrapper(), mock()],
  ])("is left to fetch itself if there is %s", (_name, legacy, current) => {
    dispatchers[LEGACY] = legacy;
    dispatchers[CURRENT] = current;
    const init: RequestInit = {};
    expect(watchDispatch(globalThis.fetch, init)).toBeUndefined();
    expect(init).toEqual({});
  });
});

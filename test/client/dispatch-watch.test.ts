import { type CreatePlantOptions, PlantStoreClient } from "plant-store-client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const LEGACY = Symbol.for("undici.globalDispatcher.1");
const CURRENT = Symbol.for("undici.globalDispatcher.2");
const dispatchers = globalThis as unknown as Record<symbol, object | undefined>;

/** The hooks of each kind of handler: before a request is written, at its response, at its failure. */
const HOOKS = {
  legacy: ["onConnect", "onHeaders", "onError"],
  current: ["onRequestStart", "onResponseStart", "onResponseError"],
} as const;

type Kind = keyof typeof HOOKS;
type Handler = Record<string, (...parameters: unknown[]) => unknown>;
type Dispatch = (target: object, handler: object) => boolean;

/** A dispatcher that keeps the handlers that it is given: each test does what undici would do. */
class Recording {
  readonly handlers: Handler[] = [];
  readonly dispatch: Dispatch = (_target, handler) => this.handlers.push(handler as Handler) > 0;
}

const RESET = new Error("reset");
const TO_PLANTS = { origin: "http://plants.localhost", path: "/plants", method: "POST" };

/** A handler of Node's `fetch`, which settles the promise of that. */
function handlerOf(kind: Kind, resolve: (response: Response) => void, reject: (error: unknown) => void): Handler {
  const [start, response, failure] = HOOKS[kind];
  return {
    [start]: () => {},
    [response]: () => resolve(Response.json({ name: "Fern" })),
    [failure]: (...parameters) => reject(new TypeError("fetch failed", { cause: parameters.at(-1) })),
  };
}

/**
 * Stands for Node's own `fetch`, which the client recognizes by its source: each version of Node has handlers of one kind.
 *
 * @param send - Replaces what it does with its dispatcher, for which it has one handler.
 */
function useNodeFetch(
  kind: Kind,
  send: (dispatch: Dispatch, handler: Handler) => void = (to, own) => to(TO_PLANTS, own),
) {
  const inits: object[] = [];
  const fetch = (_url: string, init: { readonly dispatcher?: Recording }) => {
    inits.push(init);
    return new Promise<Response>((resolve, reject) => {
      if (!init.dispatcher) throw new TypeError("internal/deps/undici/undici: there is no dispatcher");
      send((...request) => (init.dispatcher as Recording).dispatch(...request), handlerOf(kind, resolve, reject));
    });
  };
  vi.stubGlobal("fetch", fetch);
  return inits;
}

const create = (options?: CreatePlantOptions) =>
  new PlantStoreClient({ baseUrl: TO_PLANTS.origin, token: "secret", maxRetries: 0 }).tryCreatePlant(
    { id: 1, name: "Fern" },
    options,
  );

/** Settles when the client has given its request to `fetch`. */
const sent = () => new Promise<void>((resolve) => setImmediate(resolve));

let before: (object | undefined)[] = [];
beforeEach(() => {
  before = [dispatchers[LEGACY], dispatchers[CURRENT]];
});
afterEach(() => {
  [dispatchers[LEGACY], dispatchers[CURRENT]] = before;
});

function install(legacy?: object, current?: object): void {
  dispatchers[LEGACY] = legacy;
  dispatchers[CURRENT] = current;
}

describe.each(["legacy", "current"] as const)("a request of Node's fetch with a handler of the %s kind", (kind) => {
  const [start, response, failure] = HOOKS[kind];

  /** A dispatcher that has called the hook before a response. */
  async function trusted(): Promise<Recording> {
    const recording = new Recording();
    install(recording, recording);
    useNodeFetch(kind);
    const first = create();
    await sent();
    const handler = recording.handlers.pop();
    handler?.[start]?.({});
    await sent();
    handler?.[response]?.({}, 200);
    expect(await first).toMatchObject({ ok: true });
    return recording;
  }

  test("was not sent if it failed before the hook, by its own error", async () => {
    const { handlers } = await trusted();
    const call = create();
    await sent();
    handlers[0]?.[failure]?.({}, RESET);
    expect(await call).toMatchObject({ error: { kind: "connection", outcome: "not-sent" } });
  });

  test("may have been sent if fetch fails with another error", async () => {
    await trusted();
    useNodeFetch(kind, (dispatch, handler) => {
      dispatch(TO_PLANTS, { ...handler, [failure]: () => handler[failure]?.({}, new Error("another")) });
    });
    const { handlers } = dispatchers[LEGACY] as Recording;
    const call = create();
    await sent();
    handlers[0]?.[failure]?.({}, RESET);
    expect(await call).toMatchObject({ outcome: "unknown" });
  });

  test("is not written any more once its call has ended", async () => {
    const { handlers } = await trusted();
    let again = () => {};
    useNodeFetch(kind, (dispatch, handler) => {
      again = () => void dispatch(TO_PLANTS, handler);
      again();
    });
    const controller = new AbortController();
    const call = create({ signal: controller.signal });
    await sent();
    controller.abort();
    expect(await call).toMatchObject({ error: { kind: "aborted", outcome: "not-sent" } });
    expect(() => handlers[0]?.[start]?.({})).toThrow("reported as not sent");
    expect(again).toThrow("reported as not sent");
  });

  test("may have been sent if it was dispatched twice", async () => {
    const { handlers } = await trusted();
    useNodeFetch(kind, (dispatch, handler) => {
      dispatch(TO_PLANTS, { ...handler });
      dispatch(TO_PLANTS, handler);
    });
    const call = create();
    await sent();
    handlers[1]?.[failure]?.({}, RESET);
    expect(await call).toMatchObject({ outcome: "unknown" });
  });
});

const reject = () => {};
test.each<[string, object]>([
  ["has no hook", {}],
  ["has hooks that are not functions", { onConnect: 1, onHeaders: 1, onError: 1 }],
  ["cannot be changed", Object.freeze(handlerOf("legacy", reject, reject))],
  ...["onConnect", "onError", "onRequestStart", "onResponseError"].map((name): [string, object] => [
    ...([`has ${name} alone`, { [name]: () => {} }] as const),
  ]),
])("a handler that %s is passed on, and proves nothing", async (_name, handler) => {
  const recording = new Recording();
  install(recording, recording);
  useNodeFetch("legacy", (dispatch) => dispatch(TO_PLANTS, handler));
  const controller = new AbortController();
  const call = create({ signal: controller.signal });
  await sent();
  expect(recording.handlers).toEqual([handler]);
  controller.abort();
  expect(await call).toMatchObject({ error: { kind: "aborted", outcome: "unknown" } });
});

describe("the dispatcher of Node's own fetch", () => {
  const mock = () => Object.assign(new Recording(), { isMockActive: true });

  test.each(["legacy", "current"] as const)("is the one for handlers of the %s kind", async (kind) => {
    const both = { legacy: new Recording(), current: new Recording() };
    install(both.legacy, both.current);
    useNodeFetch(kind);
    void create();
    await sent();
    expect([both.legacy.handlers.length, both.current.handlers.length]).toEqual(kind === "legacy" ? [1, 0] : [0, 1]);
  });

  test("is the only one that there is", async () => {
    const recording = new Recording();
    install(recording);
    useNodeFetch("current");
    void create();
    await sent();
    expect(recording.handlers).toHaveLength(1);
  });

  test.each([
    ["none, as before the first request", undefined, undefined],
    ["none for older handlers", undefined, new Recording()],
    ["a mock", mock(), undefined],
    ["a mock that undici 8 wraps for the other kind", new Recording(), mock()],
    ["a mock for older handlers alone", mock(), new Recording()],
  ])("is left to fetch itself if there is %s", async (_name, legacy, current) => {
    install(legacy, current);
    const inits = useNodeFetch("legacy");
    expect(await create()).toMatchObject({ outcome: "unknown" });
    expect(inits).toEqual([expect.not.objectContaining({ dispatcher: expect.anything() })]);
  });
});

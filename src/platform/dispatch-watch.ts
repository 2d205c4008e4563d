import { isMock, WATCHED } from "./dispatchers.ts";

/**
 * Watches the request of one attempt in undici. Just before undici writes a request, it calls a hook of the
 * request's handler: if it has not called the hook, nothing was sent.
 */
export class DispatchWatch {
  /**
   * - `idle`: no dispatcher is known to have received the request.
   * - `waiting`: a dispatcher has received it, and has not begun to write it.
   * - `failed`: it failed before that.
   * - `begun`: it may have been written, or was dispatched more than once.
   * - `answered`: the same, and its response has arrived.
   * - `withdrawn`: it was reported as not sent, and must not be written.
   */
  #state: "idle" | "waiting" | "failed" | "begun" | "answered" | "withdrawn" = "idle";
  #route: Route = { isTrusted: false };
  #error: unknown;

  /** Whether the absence of the hook proves something. */
  get isTrusted(): boolean {
    return this.#route.isTrusted;
  }

  /**
   * Called when the request is passed to a dispatcher.
   *
   * @param origin - The origin of its URL.
   * @param isOwn - Whether the dispatcher is an Agent of this package, which always calls the hook.
   */
  enter(dispatcher: object, origin: string, isOwn = false): void {
    if (isMock(dispatcher)) return;
    this.#throwIfWithdrawn();
    this.#state = this.#state === "idle" ? "waiting" : "begun";
    this.#route = isOwn ? OWN : routeOf(dispatcher, origin);
  }

  /** Called by the hook: the request is about to be written. If it must not be, throws: undici then drops it. */
  begin(): void {
    this.#throwIfWithdrawn();
    this.#state = "begun";
    // A dispatcher that calls the hook together with the response had sent the request before.
    if (!this.isTrusted) {
      queueMicrotask(() => {
        if (this.#state === "begun") this.#route.isTrusted = true;
      });
    }
  }

  /** Called when the response begins. */
  answer(): void {
    if (this.#state === "begun") this.#state = "answered";
  }

  /** Called when the dispatcher reports that the request failed. */
  fail(error: unknown): void {
    if (this.#state !== "waiting") return;
    this.#state = "failed";
    this.#error = error;
  }

  /**
   * Whether undici had begun to write the request of a failed attempt; `undefined` if this is not known.
   *
   * @param error - The error that `fetch` rejected with: the failure of the request, or an error caused by it.
   */
  hadBegun(error: unknown): boolean | undefined {
    if (this.hasBegun) return true;
    if (this.#state !== "failed") return undefined;
    const isOwn = error === this.#error || (error as Error | undefined)?.cause === this.#error;
    return isOwn && this.#withdraw() ? false : undefined;
  }

  /** Whether undici may have written the request. */
  get hasBegun(): boolean {
    return this.#state === "begun" || this.#state === "answered";
  }

  /** Called when the call is stopped. Returns whether nothing was sent; if so, nothing will be. */
  stop(): boolean {
    return this.#state === "waiting" && this.#withdraw();
  }

  #withdraw(): boolean {
    if (!this.isTrusted) return false;
    this.#state = "withdrawn";
    return true;
  }

  #throwIfWithdrawn(): void {
    if (this.#state === "withdrawn") throw new Error("The request was reported as not sent, so it must not be sent");
  }
}

/** The requests that one dispatcher sends to one origin. */
interface Route {
  /** The dispatcher is known to call the hook before it writes them. */
  isTrusted: boolean;
}

/** Those of an Agent of this package. */
const OWN: Route = { isTrusted: true };

/**
 * The routes of each dispatcher, by origin. One of the application's own may swallow the hook, call it late, or send the
 * requests of some origins in another way.
 */
const routes = /* @__PURE__ */ new WeakMap<object, Map<string, Route>>();

function routeOf(dispatcher: object, origin: string): Route {
  let known = routes.get(dispatcher);
  if (!known) {
    known = new Map();
    routes.set(dispatcher, known);
  }
  let route = known.get(origin);
  if (!route) {
    route = { isTrusted: false };
    known.set(origin, route);
  }
  return route;
}

/** The hooks before a request is written, when its response begins, and when it fails: of undici 7 and 8. */
const CURRENT = ["onRequestStart", "onResponseStart", "onResponseError"] as const;
/** Those of undici 6, which 7 knows too. */
const LEGACY = ["onConnect", "onHeaders", "onError"] as const;

type Hooks = typeof CURRENT | typeof LEGACY;
type Hook = (this: Handler, ...parameters: unknown[]) => unknown;
type Handler = Partial<Record<Hooks[number], Hook>>;

interface Dispatcher {
  dispatch(options: { readonly origin?: unknown }, handler: Handler): boolean;
}

/** The dispatchers of the process, by the kind of handler that they take (nodejs/undici#4827). */
interface Dispatchers {
  readonly legacy: Dispatcher;
  readonly current: Dispatcher;
}

/** Watches a request of Node's own `fetch`, which takes this as the dispatcher of its `init`. */
class GlobalDispatch extends DispatchWatch implements Dispatcher {
  readonly #dispatchers: Dispatchers;

  constructor(dispatchers: Dispatchers) {
    super();
    this.#dispatchers = dispatchers;
  }

  dispatch(options: { readonly origin?: unknown }, handler: Handler): boolean {
    const { legacy, current } = this.#dispatchers;
    const [target, hooks] = handler.onRequestStart ? [current, CURRENT] : [legacy, LEGACY];
    // A handler of any other kind cannot be watched.
    if (hooks.every((name) => typeof handler[name] === "function") && Object.isExtensible(handler)) {
      this.enter(target, `${options.origin}`);
      this.#watch(handler, hooks);
    }
    return target.dispatch(options, handler);
  }

  /** Replaces hooks of the handler: a wrapper would have to implement every member. */
  #watch(handler: Handler, [start, response, failure]: Hooks): void {
    const { [start]: onStart, [response]: onResponse, [failure]: onFailure } = handler as Required<Handler>;
    const watch = this;
    // Variables first: V8 allocates a function literal in its old generation if it is assigned directly to a property.
    // There it would keep the whole request in memory until the next full garbage collection.
    const begin: Hook = function (...parameters) {
      watch.begin();
      onStart.apply(this, parameters);
    };
    const fail: Hook = function (...parameters) {
      watch.fail(parameters.at(-1));
      return onFailure.apply(this, parameters);
    };
    handler[start] = begin;
    handler[failure] = fail;
    if (this.isTrusted) return;
    const answer: Hook = function (...parameters) {
      watch.answer();
      return onResponse.apply(this, parameters);
    };
    handler[response] = answer;
  }
}

/**
 * Watches one request of Node's own `fetch` or of createUndiciFetch, by a dispatcher in `init`. For any other `fetch`,
 * `init` stays as it is.
 */
export function watchDispatch(fetch: object, init: RequestInit): DispatchWatch | undefined {
  let watch: DispatchWatch | undefined;
  if (WATCHED in fetch) watch = new DispatchWatch();
  else if (isNodeFetch(fetch)) {
    const dispatchers = globalDispatchers();
    watch = dispatchers && new GlobalDispatch(dispatchers);
  }
  if (watch) Object.assign(init, { dispatcher: watch });
  return watch;
}

/** Whether the application has given Node's own `fetch` a dispatcher that cannot be watched. It may speak HTTP/2. */
export function isUnwatchable(): boolean {
  return Symbol.for("undici.globalDispatcher.1") in globalThis && !globalDispatchers();
}

/** The dispatchers that Node's own `fetch` uses by default; undefined before its first call, or if that is uncertain. */
function globalDispatchers(): Dispatchers | undefined {
  const dispatchers = globalThis as { readonly [name: symbol]: Dispatcher | undefined };
  const legacy = dispatchers[Symbol.for("undici.globalDispatcher.1")];
  if (!legacy) return undefined;
  const current = dispatchers[Symbol.for("undici.globalDispatcher.2")] ?? legacy;
  if (isMock(current)) return undefined;
  // Undici 8 wraps its own for earlier versions. If they differ otherwise, it depends on the version of undici 7 which one
  // it uses (nodejs/undici#5368).
  return legacy === current || legacy.constructor.name === "Dispatcher1Wrapper" ? { legacy, current } : undefined;
}

let lastFetch: unknown;
let isLastNodes = false;

/**
 * Whether this is Node's own `fetch`, recognized by its source. A replacement by a test, an interceptor or a browser may
 * not support a dispatcher in `init`.
 */
export function isNodeFetch(fetch: object): boolean {
  if (fetch !== lastFetch) {
    lastFetch = fetch;
    isLastNodes = Function.prototype.toString.call(fetch).includes("internal/deps/undici/undici");
  }
  return isLastNodes;
}

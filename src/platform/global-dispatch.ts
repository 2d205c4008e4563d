import { FETCH_MARK, type MarkedFetch } from "../contract/fetch-mark.ts";
import { DispatchWatch, isMock } from "./dispatch-watch.ts";

type Hook = (this: Handler, ...parameters: unknown[]) => unknown;
/** Undici 7 and 8 call `onRequestStart` and `onResponseError`; undici 6 `onConnect` and `onError`, which 7 knows too. */
type Handler = { [Name in "onRequestStart" | "onResponseError" | "onConnect" | "onError"]?: Hook };
type Abort = (reason: Error) => void;

interface Dispatcher {
  dispatch(options: object, handler: Handler): boolean;
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

  dispatch(options: object, handler: Handler): boolean {
    const { legacy, current } = this.#dispatchers;
    const target = handler.onRequestStart ? current : legacy;
    // A handler of any other kind cannot be watched.
    if (this.#watch(handler, "onRequestStart", "onResponseError") || this.#watch(handler, "onConnect", "onError")) {
      this.enter(target);
    }
    return target.dispatch(options, handler);
  }

  /** Replaces two hooks of the handler: a wrapper would have to implement every member. */
  #watch(handler: Handler, start: "onRequestStart" | "onConnect", failure: "onResponseError" | "onError"): boolean {
    const { [start]: onStart, [failure]: onFailure } = handler;
    if (typeof onStart !== "function" || typeof onFailure !== "function" || !Object.isExtensible(handler)) return false;
    const watch = this;
    // Variables first: V8 allocates a function literal in its old generation if it is assigned directly to a property.
    // There it would keep the whole request in memory until the next full garbage collection.
    const begin: Hook = function (...parameters) {
      const mayBegin = watch.begin();
      const result = onStart.apply(this, parameters);
      const [control] = parameters as [Abort | { readonly abort: Abort }];
      if (!mayBegin) {
        const reason = new Error("The call is over");
        if (typeof control === "function") control(reason);
        else control.abort(reason);
      }
      return result;
    };
    const fail: Hook = function (...parameters) {
      watch.fail(parameters.at(-1));
      return onFailure.apply(this, parameters);
    };
    handler[start] = begin;
    handler[failure] = fail;
    return true;
  }
}

/**
 * Watches one request of Node's own `fetch` or of createUndiciFetch, by a dispatcher in `init`. For any other `fetch`,
 * `init` stays as it is.
 */
export function watchDispatch(fetch: object, init: RequestInit): DispatchWatch | undefined {
  let watch: DispatchWatch | undefined;
  if ((fetch as MarkedFetch)[FETCH_MARK] === "watched") watch = new DispatchWatch();
  else if (isNodeFetch(fetch)) {
    const dispatchers = globalDispatchers();
    watch = dispatchers && new GlobalDispatch(dispatchers);
  }
  if (watch) Object.assign(init, { dispatcher: watch });
  return watch;
}

/** The dispatchers that Node's own `fetch` uses by default; undefined before its first call, or if that is uncertain. */
function globalDispatchers(): Dispatchers | undefined {
  const dispatchers = globalThis as { readonly [name: symbol]: Dispatcher | undefined };
  const legacy = dispatchers[Symbol.for("undici.globalDispatcher.1")];
  const current = dispatchers[Symbol.for("undici.globalDispatcher.2")] ?? legacy;
  if (!legacy || !current || isMock(legacy) || isMock(current)) return undefined;
  // Undici 8 wraps its own for earlier versions. If they differ otherwise, it depends on the version of undici 7 which one
  // it uses (nodejs/undici#5368).
  return legacy === current || legacy.constructor.name === "Dispatcher1Wrapper" ? { legacy, current } : undefined;
}

let lastFetch: unknown;
let isLastNodes = false;

/**
 * Whether this is Node's own `fetch`, recognised by its source. A replacement by a test, an interceptor or a browser may
 * not support a dispatcher in `init`.
 */
function isNodeFetch(fetch: object): boolean {
  if (fetch !== lastFetch) {
    lastFetch = fetch;
    isLastNodes = Function.prototype.toString.call(fetch).includes("internal/deps/undici/undici");
  }
  return isLastNodes;
}

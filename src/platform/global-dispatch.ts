import { FETCH_MARK, type MarkedFetch } from "../contract/fetch-mark.ts";
import { DispatchWatch } from "./dispatch-watch.ts";
import { isMock } from "./mock-agent.ts";

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
  if ((fetch as MarkedFetch)[FETCH_MARK] === "watched") watch = new DispatchWatch();
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

import { DispatchWatch } from "./dispatch-watch.ts";
import type { RequestTarget } from "./http2.ts";
import { isMock, WATCHED } from "./recognize-runtime.ts";

/** The hooks before a request is written, when its response begins, and when it fails: in the `fetch` of Node 26. */
const CURRENT = ["onRequestStart", "onResponseStart", "onResponseError"] as const;
/** The same hooks in the `fetch` of Node 20 to 24. */
const LEGACY = ["onConnect", "onHeaders", "onError"] as const;

type Hooks = typeof CURRENT | typeof LEGACY;
type Hook = (...parameters: unknown[]) => unknown;

/** What `fetch` passes to a dispatcher for one request. */
type Handler = Partial<Record<Hooks[number], Hook>> & {
  /** The body of the response, as undici's `fetch` keeps it. */
  body?: { on(event: "error", listener: () => void): void } | null;
};

interface Dispatcher {
  dispatch(target: RequestTarget, handler: Handler): boolean;
}

/** The dispatchers of the process, by the kind of handler that they take (nodejs/undici#4827, #5368). */
type Dispatchers = Readonly<Record<"legacy" | "current", Dispatcher>>;

/** Watches a request of Node's own `fetch`, which takes this as the dispatcher of its `init`. */
class GlobalDispatch extends DispatchWatch implements Dispatcher {
  constructor(private readonly dispatchers: Dispatchers) {
    super();
  }

  dispatch(target: RequestTarget, handler: Handler): boolean {
    const { legacy, current } = this.dispatchers;
    const [dispatcher, hooks] = handler.onRequestStart ? [current, CURRENT] : [legacy, LEGACY];
    // A handler of any other kind cannot be watched.
    if (hooks.every((name) => typeof handler[name] === "function") && Object.isExtensible(handler)) {
      this.enter(dispatcher, target);
      this.#watch(handler, hooks);
    }
    return dispatcher.dispatch(target, handler);
  }

  /** Replaces hooks of the handler: a wrapper would have to implement every member. */
  #watch(handler: Handler, hooks: Hooks): void {
    const [start, response, failure] = hooks;
    const { [start]: begin, [response]: answer, [failure]: fail } = handler as Required<Handler>;
    handler[start] = (...parameters) => {
      this.begin();
      begin.apply(handler, parameters);
    };
    handler[response] = (...parameters) => {
      this.answer();
      return answer.apply(handler, parameters);
    };
    handler[failure] = (...parameters) => {
      this.fail(parameters.at(-1));
      // Undici destroys the body of a response with too many content codings, and an error without a listener ends the process.
      handler.body?.on("error", () => {});
      return fail.apply(handler, parameters);
    };
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

/** The dispatchers that Node's own `fetch` uses by default: the one for handlers of its kind. */
function globalDispatchers(): Dispatchers | undefined {
  const dispatchers = globalThis as { readonly [name: symbol]: Dispatcher | undefined };
  const name = Symbol.for("undici.globalDispatcher.1");
  // Node loads undici, and makes its dispatcher, when one of its globals is first read.
  if (!dispatchers[name]) void globalThis.Headers;
  const legacy = dispatchers[name];
  const current = dispatchers[Symbol.for("undici.globalDispatcher.2")] ?? legacy;
  return !legacy || !current || isMock(legacy) || isMock(current) ? undefined : { legacy, current };
}

/**
 * Whether this is Node's own `fetch`, recognized by its source. A replacement by a test, an interceptor or a browser may
 * not support a dispatcher in `init`.
 */
export function isNodeFetch(fetch: object): boolean {
  return sourceOf(fetch).includes("internal/deps/undici/undici");
}

export function sourceOf(fetch: object): string {
  return Function.prototype.toString.call(fetch);
}

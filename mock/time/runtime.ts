/** `Symbol.dispose`, or the substitute that compiled `using` looks for if the runtime does not have it. */
export const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** A module of Node, Bun or Deno, found without an import: bundles for browsers have none, and get undefined. */
export const builtinModule = ((name: string) =>
  (globalThis.process as Partial<NodeJS.Process> | undefined)?.getBuiltinModule?.(name)) as GetBuiltinModule;
type GetBuiltinModule = NodeJS.Process["getBuiltinModule"];

/** Absent in a browser. */
export const asyncHooks = /* @__PURE__ */ builtinModule("node:async_hooks");

/**
 * Binds a callback to the async context of its caller, as the runtime's timers do. Not `AsyncResource.bind`, which is fifty
 * times slower on Node 20.
 */
export function inCallersContext(callback: () => void): () => void {
  if (!asyncHooks) return callback;
  const resource = new asyncHooks.AsyncResource("VIRTUAL_TIMER");
  const bound = currentZone()?.wrap(callback, "VIRTUAL_TIMER") ?? callback;
  return () => resource.runInAsyncScope(bound);
}

/** A context that zone.js keeps by itself, in which it calls timers and what follows a promise. */
interface Zone {
  get(key: string): unknown;
  fork(spec: { name: string; properties: Record<string, unknown> }): { run<Result>(start: () => Result): Result };
  wrap(callback: () => void, source: string): () => void;
}

/** Absent without zone.js. */
export function currentZone(): Zone | undefined {
  return (globalThis as { readonly Zone?: { readonly current: Zone } }).Zone?.current;
}

/**
 * The runtime's own time, before a test or a simulation replaces it: timers of Node's module, which a test seldom fakes.
 * Those of a browser need their `this`.
 */
export function ownTime() {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const ofGlobals = { setTimeout, clearTimeout, setInterval, clearInterval };
  const timers = { ...ofGlobals, ...builtinModule("node:timers") };
  return {
    setTimeout: timers.setTimeout.bind(globalThis) as typeof setTimeout,
    clearTimeout: timers.clearTimeout.bind(globalThis),
    setInterval: timers.setInterval.bind(globalThis) as typeof setInterval,
    clearInterval: timers.clearInterval.bind(globalThis),
    /** A browser has none. */
    setImmediate: globalThis.setImmediate as ((callback: () => void) => unknown) | undefined,
    now: performance.now.bind(performance),
  };
}
export type OwnTime = ReturnType<typeof ownTime>;
export const real: OwnTime = ownTime();

/** Node's ports have these methods. */
type Port = MessagePort & { ref?(): void; unref?(): void };

const waiting: (() => void)[] = [];
let post: (() => void) | undefined;

/**
 * Waits for the next macrotask, after every promise that can settle now; something may be done in it first. By messages,
 * because a test may have replaced the timers. The process stays alive only while a macrotask is waited for.
 */
export function nextTurn(act?: () => void): Promise<void> {
  return new Promise((resolve) => {
    post ??= openPorts();
    waiting.push(() => {
      resolve();
      act?.();
    });
    post();
  });
}

/** How a macrotask is requested: by a timer in jsdom without MessageChannel outside Node, and in React Native. */
function openPorts(): () => void {
  const Channel = globalThis.MessageChannel ?? builtinModule("node:worker_threads")?.MessageChannel;
  if (!Channel) return () => void real.setTimeout(() => waiting.shift()?.(), 0);
  const opened = new Channel();
  const { port1, port2 }: { port1: Port; port2: Port } = opened;
  port1.onmessage = () => {
    const callback = waiting.shift();
    if (waiting.length === 0) port1.unref?.();
    callback?.();
  };
  return () => {
    if (waiting.length === 1) port1.ref?.();
    port2.postMessage(undefined);
  };
}

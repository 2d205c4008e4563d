/** `Symbol.dispose`, or the substitute that compiled `using` looks for if the runtime does not have it. */
export const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** A module of Node, Bun or Deno, found without an import: bundles for browsers have none. */
export function builtinModule<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.(name) as Module | undefined;
}

/** The timers of the runtime, even if a test had replaced the global ones before this package was imported. */
export const realTimers: Pick<typeof globalThis, "setTimeout" | "setInterval" | "clearInterval"> =
  /* @__PURE__ */ builtinModule("node:timers") ?? globalThis;

/** The part of Node's `AsyncResource` that is used here. */
interface AsyncResource {
  runInAsyncScope<Result>(callback: () => Result): Result;
}

/** The part of Node's `AsyncLocalStorage` that is used here. */
export interface AsyncStorage<Value> {
  getStore(): Value | undefined;
  run<Result>(value: Value, callback: () => Result): Result;
}

interface AsyncHooks {
  readonly AsyncResource: new (type: string) => AsyncResource;
  readonly AsyncLocalStorage: new <Value>() => AsyncStorage<Value>;
}

const asyncHooks = /* @__PURE__ */ builtinModule<AsyncHooks>("node:async_hooks");

/**
 * Binds a callback to the async context of its caller, as the runtime's timers do. Not `AsyncResource.bind`, which is fifty
 * times slower on Node 20.
 */
export function inCallersContext(callback: () => void): () => void {
  if (!asyncHooks) return callback;
  const resource = new asyncHooks.AsyncResource("VIRTUAL_TIMER");
  return () => resource.runInAsyncScope(callback);
}

/** Values that follow the async calls of some code; undefined in a browser. */
export function createAsyncStorage<Value>(): AsyncStorage<Value> | undefined {
  return asyncHooks && new asyncHooks.AsyncLocalStorage<Value>();
}

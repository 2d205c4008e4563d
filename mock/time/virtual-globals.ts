import { builtinModule } from "./runtime.ts";
import { type TimerPromises, virtualPromises } from "./virtual-promises.ts";
import { type FindClock, virtualTimers } from "./virtual-timer.ts";

/** The name by which `util.promisify` finds the form of a function that returns a promise. */
const PROMISIFY = Symbol.for("nodejs.util.promisify.custom");

/** `process.hrtime`. */
interface Hrtime {
  (before?: readonly [seconds: number, nanoseconds: number]): [seconds: number, nanoseconds: number];
  bigint(): bigint;
}

/**
 * Makes the globals of time and chance, and Node's modules of timers, those of the clock of the code that calls them.
 *
 * @returns The function that restores them.
 */
export function replaceGlobals(find: FindClock): () => void {
  const { process } = globalThis as { process?: { hrtime?: Hrtime } };
  const promisesModule = builtinModule<TimerPromises>("node:timers/promises");
  const timersModule = builtinModule<object>("node:timers");
  const timers = virtualTimers(find);
  const promises = virtualPromises(find, promisesModule);
  Object.assign(timers.setTimeout, { [PROMISIFY]: promises.timers.setTimeout });
  if (timers.setImmediate) Object.assign(timers.setImmediate, { [PROMISIFY]: promises.timers.setImmediate });
  const { Date: RealDate } = globalThis;
  const VirtualDate = virtualDate(find);
  const { random } = Math;
  const now = performance.now.bind(performance);
  const restore = [
    replace(globalThis, { ...timers, Date: VirtualDate }),
    // Dates of before the run have it as their constructor too.
    replace(RealDate.prototype, { constructor: VirtualDate }),
    replace(Math, { random: () => find()?.random() ?? random() }),
    replace(performance, { now: () => find()?.now() ?? now() }),
    replace(AbortSignal, { timeout: virtualTimeoutSignal(find) }),
    // A browser has none of these.
    replace(process, { hrtime: virtualHrtime(process?.hrtime as Hrtime, find) }),
    replace(timersModule, timers),
    replace(promisesModule, promises.timers),
    replace(promisesModule?.scheduler, promises.scheduler),
  ];
  syncNamedImports();
  return () => {
    for (const restoreOne of restore) restoreOne();
    syncNamedImports();
  };
}

/** Replaces members of an object. Returns the function that restores them. */
function replace(target: object | undefined, members: object): () => void {
  if (!target) return () => {};
  const before = Object.keys(members).map((name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const);
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
    }
  };
}

/** Lets `import { setTimeout } from "node:timers/promises"` see what was replaced. */
function syncNamedImports(): void {
  builtinModule<{ syncBuiltinESMExports?(): void }>("node:module")?.syncBuiltinESMExports?.();
}

/** A proxy, so that it is the class of every other date too. */
function virtualDate(find: FindClock): DateConstructor {
  const { Date: RealDate } = globalThis;
  const now = () => find()?.date() ?? RealDate.now();
  return new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length > 0 ? values : [now()], newTarget),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
}

function virtualTimeoutSignal(find: FindClock): (ms: number) => AbortSignal {
  const real = AbortSignal.timeout.bind(AbortSignal);
  return (ms) => {
    const clock = find();
    // What is out of range is refused by the runtime.
    if (!clock || !Number.isInteger(ms) || ms < 0 || ms >= 2 ** 32) return real(ms);
    const controller = new AbortController();
    clock.after(ms, () =>
      controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    );
    return controller.signal;
  };
}

function virtualHrtime(real: Hrtime, find: FindClock): Hrtime {
  const bigint = () => {
    const clock = find();
    return clock ? BigInt(Math.round(clock.now() * 1e6)) : real.bigint();
  };
  const hrtime = (before?: readonly [number, number]): [number, number] => {
    if (!find()) return real(before);
    const [seconds, nanoseconds] = before ?? [0, 0];
    const passed = bigint() - (BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds));
    return [Number(passed / 1_000_000_000n), Number(passed % 1_000_000_000n)];
  };
  return Object.assign(hrtime, { bigint });
}

import { builtinModule } from "./runtime.ts";
import { type TimerPromises, virtualPromises } from "./virtual-promises.ts";
import { type FindClock, inRun, virtualTimers } from "./virtual-timer.ts";

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
  const { process, Date: RealDate } = globalThis as { process?: { hrtime?: Hrtime }; Date: DateConstructor };
  const promisesModule = builtinModule<TimerPromises>("node:timers/promises");
  const timers = virtualTimers(find);
  const promises = virtualPromises(find, promisesModule);
  Object.assign(timers.setTimeout, { [PROMISIFY]: promises.timers.setTimeout });
  Object.assign(timers.setImmediate, { [PROMISIFY]: promises.timers.setImmediate });
  const VirtualDate = virtualDate(find);
  const restore = [
    replace(globalThis, { ...timers, Date: VirtualDate }),
    // Dates of before the run have it as their constructor too.
    replace(RealDate.prototype, { constructor: VirtualDate }),
    replace(Math, { random: inRun(find, Math.random, (clock) => clock.random()) }),
    replace(performance, { now: inRun(find, performance.now.bind(performance), (clock) => clock.now()) }),
    replace(AbortSignal, { timeout: virtualTimeoutSignal(find) }),
    replace(process, { hrtime: virtualHrtime(process?.hrtime as Hrtime, find) }),
    replace(builtinModule("node:timers"), timers),
    replace(promisesModule, promises.timers),
    replace(promisesModule?.scheduler, promises.scheduler),
  ];
  syncNamedImports();
  return () => {
    for (const restoreOne of restore) restoreOne();
    syncNamedImports();
  };
}

/** Replaces members of an object: those that the runtime has. Returns the function that restores them. */
function replace(target: object | undefined, members: object): () => void {
  if (!target) return () => {};
  const names = Object.keys(members).filter((name) => name in target);
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const);
  for (const name of names) {
    const value = members[name as keyof typeof members];
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
  const now = inRun(find, RealDate.now, (clock) => clock.date());
  return new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length > 0 ? values : [now()], newTarget),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
}

function virtualTimeoutSignal(find: FindClock): (ms: number) => AbortSignal {
  const { timeout } = AbortSignal;
  const real = (ms: number) => timeout.call(AbortSignal, ms);
  return inRun(find, real, (clock, ms: number) => {
    // What is out of range is refused by the runtime.
    if (!Number.isInteger(ms) || ms < 0 || ms >= 2 ** 32) return real(ms);
    const controller = new AbortController();
    clock.after(ms, () =>
      controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    );
    return controller.signal;
  });
}

function virtualHrtime(real: Hrtime, find: FindClock): Hrtime {
  const bigint = inRun(
    find,
    () => real.bigint(),
    (clock) => BigInt(Math.round(clock.now() * 1e6)),
  );
  const hrtime = inRun(find, real, (_, before: readonly [number, number] = [0, 0]): [number, number] => {
    const [seconds, nanoseconds] = before;
    const passed = bigint() - (BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds));
    return [Number(passed / 1_000_000_000n), Number(passed % 1_000_000_000n)];
  });
  return Object.assign(hrtime, { bigint });
}

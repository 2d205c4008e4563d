import type { Life, Lives } from "./life.ts";
import { builtinModule } from "./runtime.ts";
import { START } from "./virtual-clock.ts";
import { failUnhandled, inLife, virtualPromises, virtualTimers } from "./virtual-timers.ts";

/** The name by which `util.promisify` finds the form of a function that returns a promise. */
const PROMISIFY = Symbol.for("nodejs.util.promisify.custom");

type Methods<Name extends string> = Readonly<Record<Name, () => unknown>>;

/** Node 26 has it, and some browsers. */
interface Temporal {
  readonly Now: Methods<
    "instant" | "timeZoneId" | "zonedDateTimeISO" | "plainDateTimeISO" | "plainDateISO" | "plainTimeISO"
  >;
  readonly Instant: {
    fromEpochMilliseconds(ms: number): {
      toZonedDateTimeISO(zone: unknown): Methods<"toPlainDateTime" | "toPlainDate" | "toPlainTime">;
    };
  };
}

/** An object, and its members that are replaced. */
type Row = readonly [target: object | undefined, members: object | undefined];

/**
 * Makes the globals of time, chance and the process those of a life for its own code, all of them or none. All other code
 * gets what the runtime has.
 *
 * @returns The function that restores them.
 * @throws TypeError if one of them cannot be replaced.
 */
export function replaceGlobals(lives: Lives): () => void {
  const undo: (() => void)[] = [];
  const restore = () => {
    for (const restoreOne of undo.splice(0).reverse()) restoreOne();
    syncNamedImports();
  };
  try {
    for (const [target, members] of tableOf(lives)) if (target && members) replace(target, members, undo);
    undo.push(watchRejections(lives));
    syncNamedImports();
  } catch (cause) {
    restore();
    throw new TypeError(`simulate: a global of time cannot be replaced: ${(cause as Error).message}`, { cause });
  }
  return restore;
}

/** All that is replaced. */
function tableOf(lives: Lives): Row[] {
  const { Date: RealDate, Temporal, process: own } = globalThis as typeof globalThis & { readonly Temporal?: Temporal };
  const timers = virtualTimers(lives);
  const { module, promises, scheduler } = virtualPromises(lives, timers);
  Object.assign(timers.setTimeout, { [PROMISIFY]: promises.setTimeout });
  Object.assign(timers.setImmediate, { [PROMISIFY]: promises.setImmediate });
  const VirtualDate = virtualDate(lives);
  const process = processOfRuntime() ?? own;
  return [
    [globalThis, { ...timers, queueMicrotask: virtualMicrotask(lives), Date: VirtualDate }],
    // Dates of before the run have it as their constructor too.
    [RealDate.prototype, { constructor: VirtualDate }],
    [Math, { random: inLife(lives.findLive, Math.random, (life) => life.random()) }],
    [performance, virtualPerformance(lives)],
    [AbortSignal, { timeout: virtualTimeoutSignal(lives) }],
    [Temporal?.Now, Temporal && virtualTemporal(lives, Temporal)],
    [builtinModule("node:timers"), timers],
    [module, promises],
    [module?.scheduler, scheduler],
    [process, process && { ...virtualProcess(lives, process), emit: virtualEmit(lives, process) }],
    [own === process ? undefined : own, own && virtualProcess(lives, own)],
  ];
}

/** Replaces members of an object: those that the runtime has. Adds the functions that restore them. */
function replace(target: object, members: object, undo: (() => void)[]): void {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(members))) {
    if (!(name in target)) continue;
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { ...member, configurable: true });
    undo.push(() => {
      const now = Object.getOwnPropertyDescriptor(target, name);
      // A test that has replaced it meanwhile restores it by itself.
      if (now?.value !== member.value || now?.get !== member.get) return;
      if (before) Reflect.defineProperty(target, name, before);
      else Reflect.deleteProperty(target, name);
    });
  }
}

/** Lets `import { setTimeout } from "node:timers/promises"` see what was replaced. */
function syncNamedImports(): void {
  builtinModule("node:module")?.syncBuiltinESMExports?.();
}

/** A proxy, so that it is the class of every other date too. */
function virtualDate({ findLive }: Lives): DateConstructor {
  const { Date: RealDate } = globalThis;
  const now = inLife(findLive, RealDate.now, (life) => life.date());
  return new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length > 0 ? values : [now()], newTarget),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
}

function virtualPerformance({ findLive }: Lives) {
  const { performance } = globalThis;
  const { timeOrigin } = performance;
  return {
    now: inLife(findLive, performance.now.bind(performance), (life) => life.now()),
    get timeOrigin() {
      return findLive() ? START : timeOrigin;
    },
  };
}

/** `queueMicrotask`: Node 20 calls its callback without the context in which it fails. */
function virtualMicrotask({ findLive }: Lives) {
  const { queueMicrotask } = globalThis;
  return inLife(findLive, queueMicrotask, (life, callback: () => void) =>
    // The runtime refuses what is no function.
    queueMicrotask(typeof callback === "function" ? () => life.guard(callback) : callback),
  );
}

function virtualTimeoutSignal({ findLive }: Lives): (ms: number) => AbortSignal {
  const { timeout } = AbortSignal;
  const real = (ms: number) => timeout.call(AbortSignal, ms);
  return inLife(findLive, real, (life, ms: number) => {
    // What is out of range is refused by the runtime.
    if (!Number.isInteger(ms) || ms < 0 || ms >= 2 ** 32) return real(ms);
    const controller = new AbortController();
    const abort = () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    life.after(ms, abort).unref?.();
    return controller.signal;
  });
}

function virtualTemporal({ findLive }: Lives, { Now, Instant }: Temporal) {
  const instant = (life: Life) => Instant.fromEpochMilliseconds(life.date());
  const zoned = (life: Life, zone = Now.timeZoneId()) => instant(life).toZonedDateTimeISO(zone);
  return {
    instant: inLife(findLive, Now.instant, instant),
    zonedDateTimeISO: inLife(findLive, Now.zonedDateTimeISO, zoned),
    plainDateTimeISO: inLife(findLive, Now.plainDateTimeISO, (life, zone) => zoned(life, zone).toPlainDateTime()),
    plainDateISO: inLife(findLive, Now.plainDateISO, (life, zone) => zoned(life, zone).toPlainDate()),
    plainTimeISO: inLife(findLive, Now.plainTimeISO, (life, zone) => zoned(life, zone).toPlainTime()),
  };
}

/** The process that the runtime itself calls: in a module, Jest has a copy. */
function processOfRuntime(): NodeJS.Process | undefined {
  try {
    return builtinModule("node:vm")?.runInThisContext("process");
  } catch {
    // Other runtimes have a module that does nothing.
    return undefined;
  }
}

/** An end of the process is that of the run. What it throws stops the code there. */
class ProcessExit extends Error {}

function virtualProcess({ findLive }: Lives, process: NodeJS.Process) {
  return {
    hrtime: virtualHrtime(findLive, process.hrtime),
    exit: inLife(findLive, process.exit.bind(process), (life, code: unknown = "") => {
      life.fail(`it called process.exit(${code})`);
      throw new ProcessExit(`process.exit(${code}) in a simulation`);
    }),
  };
}

function virtualHrtime(findLive: Lives["findLive"], real: NodeJS.HRTime): NodeJS.HRTime {
  const bigint = inLife(
    findLive,
    () => real.bigint(),
    (life) => BigInt(Math.round(life.now() * 1e6)),
  );
  const hrtime = inLife(findLive, real, (_, before: readonly [number, number] = [0, 0]): [number, number] => {
    const [seconds, nanoseconds] = before;
    const passed = bigint() - (BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds));
    return [Number(passed / 1_000_000_000n), Number(passed % 1_000_000_000n)];
  });
  return Object.assign(hrtime, { bigint });
}

/** What would end the process ends the run. Node emits it in the context of its code. */
function virtualEmit({ find }: Lives, process: NodeJS.Process) {
  const emit = process.emit as (name: string, ...values: unknown[]) => boolean;
  return (name: string, ...values: unknown[]): boolean => {
    const life = find();
    const [error] = values;
    if (life && name === "unhandledRejection") failUnhandled(life, error);
    else if (life && name === "uncaughtException" && error instanceof ProcessExit) return true;
    // What undici and other libraries go on with after a life is not its own.
    else if (life?.isOver === false && name === "uncaughtException") life.fail("it threw", error);
    else return emit.call(process, name, ...values);
    return true;
  };
}

/** Deno dispatches an event in the context of the code that left a rejection. Returns the function that ends that. */
function watchRejections({ find }: Lives): () => void {
  const target = globalThis as Partial<EventTarget>;
  const onRejection = (event: Event & { readonly reason?: unknown }) => {
    const life = find();
    if (!life) return;
    event.preventDefault();
    failUnhandled(life, event.reason);
  };
  target.addEventListener?.("unhandledrejection", onRejection);
  return () => target.removeEventListener?.("unhandledrejection", onRejection);
}

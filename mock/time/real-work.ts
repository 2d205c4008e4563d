import { builtinModule, nextTurn, type OwnTime, real } from "./runtime.ts";

/** The names of requests of Node, such as `FSReqCallback`, and of its handles, such as `TCPSocketWrap`. */
const SHOWN = /Req|Wrap$/;

/** Deno and Bun need so many turns, e.g. for a Request that is made of a Blob. Node shows what is under way. */
const UNSEEN_TURNS = 20;
/** Immediates get a turn for each millisecond of a jump, and no more than these. */
const MOST_TURNS = 1_000;

/** When so much time would have passed since the last wait for work that no runtime shows, in one jump or many, it waits. */
const FAR_MS = 250;
/** How long the first wait takes. */
const LONGEST_WAIT_MS = 100;
/** The next one is shorter if nothing happened meanwhile, and otherwise several times as long as that work took. */
const SHORTER = 0.8;
const SAFETY = 5;
/** A wait below this length is left out. */
const LEAST_WAIT_MS = 1;
/** A wait is repeated so often while other threads compute, which get little of a busy machine. */
const MOST_WAITS = 10;
/** How long they compute at least, and which part of a wait: that of garbage collection is less. */
const BUSY_MS = 1;
const BUSY_SHARE = 0.03;

/** What is under way holds nothing when nothing has happened for so many ticks of the clock: for a second or more. */
export const IDLE_TICKS = 50;
/** A standstill of so many ticks is an error: four seconds or more. One that is seen again needs fewer. */
export const STANDSTILL_TICKS = 200;
const REPEATED_STANDSTILL_TICKS = IDLE_TICKS + 5;

const hooks = /* @__PURE__ */ builtinModule("node:perf_hooks");

/** What no runtime shows. */
export const UNSEEN =
  "crypto, zlib, workers and native addons are not seen, nor files on Bun, Deno and Node 26, sockets and named imports of " +
  "node:timers on Bun and Deno, timers of an earlier run (create limiters within the scenario), functions of timers that were " +
  "kept before the simulation (const sleep = promisify(setTimeout)) and code without an async context (listeners of an " +
  "emitter that was made before the run): hold the time for them with clock.hold(what)";

/**
 * Real work of the process, which virtual time must not overtake. What Node shows (files, sockets, child processes) takes
 * half a microsecond to see; the process's own timers never count, because a test runner always has some. For what no
 * runtime shows, time waits now and then: the longer, the slower the work that came to light in the last waits.
 */
export class RealWork {
  readonly #process: Partial<NodeJS.Process> | undefined;
  readonly #real: OwnTime;
  /** How many requests and handles were there at the start, and how many hold nothing now: those of others, and idle ones. */
  readonly #atStart: number;
  #idle: number;
  /** How many turns have passed since the last jump. */
  #turns = 0;
  /** How much time has passed since the last wait, and how long the next one takes. */
  #passedMs = 0;
  #waitMs = LONGEST_WAIT_MS;
  /** Whether the next jump needs no further wait. */
  #hasWaited = false;
  /** How often work came to light in a wait. */
  unseen = 0;
  /** How long a standstill has to last. */
  standstillTicks: number = STANDSTILL_TICKS;

  constructor(own: OwnTime = real, process: Partial<NodeJS.Process> | undefined = globalThis.process) {
    this.#real = own;
    this.#process = process;
    // A first console.log would open them in the middle.
    void [this.#process?.stdout, this.#process?.stderr];
    this.#atStart = this.#active.length;
    this.#idle = this.#atStart;
  }

  get #active(): readonly string[] {
    return this.#process?.getActiveResourcesInfo?.().filter((name) => SHOWN.test(name)) ?? [];
  }

  /** The CPU time of the other threads of the process: at least, because this one may have waited for a core. */
  get #cpuMs(): number {
    const { user, system } = this.#process?.cpuUsage?.() ?? { user: 0, system: 0 };
    const now = this.#real.now();
    // Bun and Deno have 0, because they do not count it.
    const idleMs = hooks?.performance?.eventLoopUtilization?.().idle || now;
    return (user + system) / 1_000 - (now - idleMs);
  }

  /** How many turns without an event show that nothing is under way. */
  get quietTurns(): number {
    const { bun, deno } = this.#process?.versions ?? ({} as Partial<NodeJS.ProcessVersions>);
    return bun || deno ? UNSEEN_TURNS : 1;
  }

  /** Whether any real work is seen under way. */
  isUnderWay(): boolean {
    const count = this.#active.length;
    this.#idle = Math.min(this.#idle, count);
    return count > this.#idle;
  }

  /** What is under way, in words. */
  get words(): string {
    const names = this.#active.length > this.#atStart ? [...new Set(this.#active)].join(" and ") : "";
    return names
      ? `real work that does not end: ${names}; open lasting connections before the simulation`
      : `a promise that nothing settles; ${UNSEEN}`;
  }

  /**
   * What time has to wait for before a jump, if nothing is seen under way; undefined if it jumps now.
   *
   * @param immediates - How many immediates are pending: they get turns, and do not stop the time.
   * @param event - Returns a promise of the next event: `true` if something happens, `false` if nothing waits any more.
   */
  beforeJump(jumpMs: number, immediates: number, event: () => Promise<boolean>): Promise<void> | undefined {
    const turns = immediates > 0 ? Math.min(jumpMs, MOST_TURNS) : this.quietTurns;
    if (++this.#turns < turns) return this.turn();
    const isFar = this.#passedMs + jumpMs >= FAR_MS && this.#waitMs >= LEAST_WAIT_MS;
    if (isFar && !this.#hasWaited) return this.#waitForUnseen(event());
    this.#passedMs = this.#hasWaited ? 0 : this.#passedMs + jumpMs;
    this.#hasWaited = false;
    this.#turns = 0;
    return undefined;
  }

  /** Waits for work that nothing shows. If something happens meanwhile, that was such work. */
  async #waitForUnseen(event: Promise<boolean>): Promise<void> {
    const since = this.#real.now();
    let cpuMs = this.#cpuMs;
    const isBusy = () => this.#cpuMs - cpuMs > Math.max(BUSY_MS, BUSY_SHARE * this.#waitMs);
    for (let waits = 0; waits === 0 || (waits < MOST_WAITS && isBusy()); waits++) {
      cpuMs = this.#cpuMs;
      const hasHappened = await this.#during(this.#waitMs, event);
      if (hasHappened === undefined) continue;
      if (!hasHappened) return;
      this.unseen++;
      this.#waitMs = Math.max(this.#waitMs, Math.min(LONGEST_WAIT_MS, SAFETY * (this.#real.now() - since)));
      return;
    }
    this.#waitMs *= SHORTER;
    this.#hasWaited = true;
  }

  /** Waits for an event, but not longer than this. */
  #during(ms: number, event: Promise<boolean>): Promise<boolean | undefined> {
    return new Promise((resolve) => {
      // What has ended while the process was blocked gets a turn, too.
      const timer = this.#real.setTimeout(() => void this.turn().then(() => resolve(undefined)), ms);
      event.then((hasHappened) => {
        this.#real.clearTimeout(timer);
        resolve(hasHappened);
      });
    });
  }

  /** Nothing has happened for {@link IDLE_TICKS}: a connection that is kept alive holds nothing, nor work of others. */
  onIdle(): void {
    this.#idle = this.#active.length;
  }

  onStandstill(): void {
    this.standstillTicks = REPEATED_STANDSTILL_TICKS;
  }

  /** It was none: the run has passed when it was repeated. */
  forgetStandstill(): void {
    this.standstillTicks = STANDSTILL_TICKS;
  }

  /** Runs what has failed before: the next waits are as long as the first one. */
  async repeat<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#waitMs = LONGEST_WAIT_MS;
    return run();
  }

  /** Real work gets its turn in immediates as well, which jsdom under Jest does not have. */
  turn(): Promise<void> {
    const { setImmediate } = this.#real;
    return setImmediate ? new Promise((resolve) => setImmediate(resolve)) : nextTurn();
  }
}

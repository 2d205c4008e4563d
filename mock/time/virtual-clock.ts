import { mustBe } from "../../src/checks/rules.ts";
import { type Clock, type Random, randomFrom } from "./clock.ts";
import { Holds } from "./holds.ts";
import { IDLE_TICKS, type RealWork, STANDSTILL_TICKS } from "./real-work.ts";
import { inCallersContext, nextTurn, real } from "./runtime.ts";

/**
 * The clock of a mock with virtual time. It jumps to its next timer as soon as nothing is under way: a token provider, the
 * input of createPlants, a request that has not reached the mock, the read of a body, or a gate. A wait in the mock does not
 * hold it.
 */
export interface VirtualClock extends Clock {
  /** The virtual date, in milliseconds since the epoch. It begins at 1 January 2026. */
  date(): number;
  /** The virtual time since the mock was created, in milliseconds; in a simulated run it begins at 1,000. */
  now(): number;
  /** The next random number of a fixed sequence, at least 0 and less than 1. */
  random(): number;
  /**
   * Holds the time until the returned function is called.
   *
   * @param what - What is waited for, in words.
   * @param reject - Called with the reason if time stands still for too long.
   */
  hold(what: string, reject?: (reason: Error) => void): (isLeft?: boolean) => void;
  /**
   * A wait of the test itself, or of a token provider or a `fetch`, in milliseconds of virtual time.
   *
   * @returns A promise that resolves when the time has come.
   * @throws TypeError if `ms` is not a finite number of at least 0.
   */
  sleep(ms: number): Promise<void>;
  /**
   * Lets `ms` milliseconds pass, even if something holds the time.
   *
   * @returns A promise that resolves when they have passed.
   * @throws TypeError if `ms` is not a finite number of at least 0.
   */
  advance(ms: number): Promise<void>;
}

/** 1 January 2026, so that the dates of a test are the same in every run. */
export const START: number = Date.UTC(2026, 0, 1);

/** Where the time of a simulated run begins: a cache may take 0 for "not set". */
const RUN_START_MS = 1_000;

/** How often code may read the time before each read takes a microsecond, so that a loop that only reads it ends. */
const FREE_READS = 1_000;
const READ_MS = 0.001;

/**
 * Real time is counted in ticks, between which the event loop gets at least one turn: a process that is blocked or starved
 * has fewer of them, and has missed nothing.
 */
const TICK_MS = 20;

const isDuration = mustBe("a finite number of at least 0", (ms) => Number.isFinite(ms) && (ms as number) >= 0);

/** A pending timer: when it fires, and whose it is, if its owner may end before. */
export class QueuedTimer {
  /** Whether it keeps a run going, as it would keep a process alive. */
  hasRef = true;

  constructor(
    readonly at: number,
    readonly callback: () => void,
    readonly owner: object | undefined,
  ) {}

  ref(): void {
    this.hasRef = true;
  }

  unref(): void {
    this.hasRef = false;
  }
}

/** What a simulated run is told by its clock, in which all waits are virtual: only real work holds the time. */
export interface RunObserver {
  readonly realWork: RealWork;
  /** How many immediates of its code are pending. */
  readonly immediates: number;
  /** Called before a timer is fired. The observer may drop it. */
  onJump(): void;
  /** Whether nothing keeps it going any more, with these pending timers: no further one fires. */
  isDone(timers: readonly QueuedTimer[]): boolean;
  /** Called with what holds the time by name, if anything does. */
  onStandstill(held: string): void;
}

/**
 * Time that passes in one loop. In each macrotask, after every promise that could settle has done so, time jumps to the next
 * timer, which fires; or the loop waits for the end of real work, or until something happens, if time is held or no timer is
 * pending. The loop ends with the last timer, in a run with its end. While it goes on, a watchdog counts real time: a
 * standstill is an error.
 */
export class JumpingClock implements VirtualClock {
  #now: number;
  /** Pending timers, the next one first. Those of one time are in the order in which they were added. */
  #timers: QueuedTimer[] = [];
  readonly #holds = new Holds(() => this.wake());
  readonly #random: Random;
  readonly #run: RunObserver | undefined;
  #isPassing = false;
  #advancing = 0;
  #isStopped = false;
  /** How often code has read the time since the last jump. */
  #reads = 0;
  /** Changes with everything that happens. */
  #events = 0;
  /** Wakes the loop, if it waits until something happens: `false` if nothing has. */
  #wake: ((hasHappened: boolean) => void) | undefined;

  /** How many timers have fired. */
  jumps = 0;

  /**
   * @param seed - Of the random numbers, e.g. of jitter and tokens.
   * @param run - The simulated run whose clock it is, until {@link JumpingClock.stop}.
   */
  constructor(seed = 1, run?: RunObserver) {
    this.#now = run ? RUN_START_MS : 0;
    this.#random = randomFrom(seed);
    this.#run = run;
  }

  readonly date = (): number => START + Math.floor(this.now());
  /** In a run, code that has read the time often may wait for that: then each read takes a moment. */
  readonly now = (): number => {
    if (this.#run && ++this.#reads > FREE_READS) this.#now += READ_MS;
    return this.#now;
  };

  readonly random = (): number => this.#random();

  readonly after = (ms: number, callback: () => void, owner?: object): QueuedTimer => {
    const timer = new QueuedTimer(this.#now + checked(Math.max(0, ms)), inCallersContext(callback), owner);
    let low = 0;
    for (let high = this.#timers.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((this.#timers[middle] as QueuedTimer).at > timer.at) high = middle;
      else low = middle + 1;
    }
    this.#timers.splice(low, 0, timer);
    this.wake();
    return timer;
  };

  readonly hold = this.#holds.take;
  /** Creates the function that begins a wait by this clock: see {@link Holds.waiter}. */
  readonly waiter = this.#holds.waiter;

  readonly cancel = (timer: unknown): void => {
    if (this.#remove(timer as QueuedTimer)) this.wake();
  };

  readonly sleep = async (ms: number): Promise<void> => {
    checked(ms);
    const end = this.waiter()();
    await this.#holds.sleep((resolve) => this.after(ms, resolve));
    end();
  };

  async advance(ms: number): Promise<void> {
    const end = this.#now + checked(ms);
    await this.#fireUntil(end);
    this.#now = Math.max(this.#now, end);
  }

  /** Lets the time pass until no timer is pending. */
  async runOut(): Promise<void> {
    if (this.#next) await this.#fireUntil(Number.POSITIVE_INFINITY);
  }

  /** Drops the timers of an owner. */
  drop(owner: object): void {
    this.#timers = this.#timers.filter((timer) => timer.owner !== owner);
  }

  /** Ends a simulated run: no timer fires any more. */
  stop(): void {
    this.#isStopped = true;
    this.#timers = [];
    this.#wake?.(false);
  }

  /** Fires all timers up to a time, even if something holds it. */
  async #fireUntil(end: number): Promise<void> {
    this.#advancing++;
    this.#wake?.(false);
    try {
      await nextTurn();
      for (let timer = this.#next; timer && timer.at <= end; timer = this.#next) {
        this.#fire(timer);
        await nextTurn();
      }
    } finally {
      this.#advancing--;
      this.wake();
    }
  }

  get #next(): QueuedTimer | undefined {
    return this.#timers[0];
  }

  /** Returns whether it was pending. */
  #remove(timer: QueuedTimer): boolean {
    const position = this.#timers.indexOf(timer);
    if (position >= 0) this.#timers.splice(position, 1);
    return position >= 0;
  }

  /** Whether the loop has something to do, or to wait for. */
  get #isPending(): boolean {
    return this.#run ? !this.#isStopped : this.#timers.length > 0;
  }

  /** Something has happened: the loop looks again. */
  wake(): void {
    this.#events++;
    this.#wake?.(true);
    if (!this.#isPassing && this.#isPending) void this.#pass();
  }

  /**
   * The loop. Each timer fires in a macrotask of its own: its promises and ticks keep their order, and what it throws is
   * reported by the runtime.
   */
  async #pass(): Promise<void> {
    this.#isPassing = true;
    const watchdog = this.#watch();
    while (this.#isPending) {
      let obstacle: Promise<unknown> | undefined;
      await nextTurn(() => {
        obstacle = this.#findObstacle();
        if (!obstacle && this.#next) this.#fire(this.#next);
      });
      await obstacle;
    }
    real.clearInterval(watchdog);
    this.#isPassing = false;
  }

  /** What time has to wait for before its next timer; undefined if it jumps now. */
  #findObstacle(): Promise<unknown> | undefined {
    const { realWork, immediates } = this.#run ?? { immediates: 0 };
    const timer = this.#next;
    if (!this.#isPending) return undefined;
    if (this.#run?.isDone(this.#timers)) return this.#event();
    const isLookedFor = immediates > 0 || (!timer && realWork?.isUnderWay());
    if (!timer || this.#advancing > 0 || !this.#holds.isFree) return isLookedFor ? realWork?.turn() : this.#event();
    const jumpMs = timer.at - this.#now;
    if (!realWork || jumpMs <= 0) return undefined;
    if (realWork.isUnderWay()) return realWork.turn();
    // A wait for work that nobody shows ends in any case, so the time does not stand still.
    this.#events++;
    return realWork.beforeJump(jumpMs, immediates, this.#event);
  }

  readonly #event = (): Promise<boolean> =>
    new Promise((resolve) => {
      this.#wake = resolve;
    });

  #fire(timer: QueuedTimer): void {
    this.#events++;
    this.jumps++;
    this.#reads = 0;
    this.#now = Math.max(this.#now, timer.at);
    this.#run?.onJump();
    if (this.#remove(timer)) timer.callback();
  }

  /** Counts the ticks in which nothing has happened. */
  #watch(): ReturnType<typeof setInterval> {
    let last = this.#events;
    let ticks = 0;
    const watchdog = real.setInterval(() => {
      ticks = this.#events === last ? ticks + 1 : 0;
      last = this.#events;
      if (ticks < (this.#run?.realWork.standstillTicks ?? STANDSTILL_TICKS)) {
        if (ticks >= IDLE_TICKS) this.#run?.realWork.onIdle();
        return;
      }
      real.clearInterval(watchdog);
      if (this.#run) this.#run.onStandstill(this.#holds.words);
      else this.#holds.fail();
    }, TICK_MS);
    return watchdog;
  }
}

/** @throws TypeError for anything but a duration in milliseconds. */
function checked(ms: number): number {
  const problem = isDuration(ms);
  if (problem) throw new TypeError(`ms: ${problem}`);
  return ms;
}

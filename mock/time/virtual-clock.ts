import { mustBe } from "../../src/checks/rules.ts";
import { type Clock, type Random, randomFrom } from "./clock.ts";
import { Holds } from "./holds.ts";
import { IDLE_TICKS, type RealWork, STANDSTILL_TICKS } from "./real-work.ts";
import { inCallersContext, nextTurn, real, requestTurn } from "./runtime.ts";

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

/** A pending timer. */
interface QueuedTimer {
  /** When it fires. */
  readonly at: number;
  readonly callback: () => void;
  /** Whose timer it is, if its owner may end before it fires. */
  readonly owner: object | undefined;
}

/** What a simulated run is told by its clock, in which all waits are virtual: only real work holds the time. */
export interface RunObserver {
  readonly realWork: RealWork;
  /** How many immediates of its code are pending. */
  readonly immediates: number;
  /** Called before a timer is fired. The observer may drop it. */
  onJump(): void;
  /** Called with what holds the time by name, if anything does. */
  onStandstill(held: string): void;
}

/**
 * Time that jumps to the next timer as soon as nothing is under way: nothing holds it, and one macrotask has passed, in
 * which every promise that could settle has done so.
 */
export class JumpingClock implements VirtualClock {
  #now: number;
  /** Pending timers, the next one first. Those of one time are in the order in which they were added. */
  #timers: QueuedTimer[] = [];
  readonly #holds = new Holds(() => this.#schedule());
  readonly #random: Random;
  readonly #run: RunObserver | undefined;
  #isTurnRequested = false;
  #advancing = 0;
  #isStopped = false;
  /** How often code has read the time since the last jump. */
  #reads = 0;
  /** Changes with everything that happens. */
  #events = 0;
  #watchdog: ReturnType<typeof setInterval> | undefined;

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
    this.#watch();
  }

  readonly date = (): number => START + Math.floor(this.now());
  /** In a run, code that has read the time often may wait for that: then each read takes a moment. */
  readonly now = (): number => {
    if (this.#run && ++this.#reads > FREE_READS) this.#now += READ_MS;
    return this.#now;
  };

  readonly random = (): number => this.#random();

  readonly after = (ms: number, callback: () => void, owner?: object): QueuedTimer => {
    const timer = { at: this.#now + checked(Math.max(0, ms)), callback: inCallersContext(callback), owner };
    let low = 0;
    for (let high = this.#timers.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((this.#timers[middle] as QueuedTimer).at > timer.at) high = middle;
      else low = middle + 1;
    }
    this.#timers.splice(low, 0, timer);
    this.#schedule();
    return timer;
  };

  readonly hold = this.#holds.take;
  /** Creates the function that begins a wait by this clock: see {@link Holds.waiter}. */
  readonly waiter = this.#holds.waiter;

  readonly cancel = (timer: unknown): void => void this.#remove(timer as QueuedTimer);

  readonly sleep = async (ms: number): Promise<void> => {
    checked(ms);
    const end = this.waiter()();
    await new Promise<void>((resolve) => this.after(ms, resolve));
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
    this.#run?.realWork.onJump(0);
    this.#watch();
  }

  /** Fires all timers up to a time, even if something holds it. */
  async #fireUntil(end: number): Promise<void> {
    this.#advancing++;
    try {
      await nextTurn();
      for (let timer = this.#next; timer && timer.at <= end; timer = this.#next) {
        this.#fire(timer);
        await nextTurn();
      }
    } finally {
      this.#advancing--;
      this.#schedule();
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

  /** Whether time may jump to the next timer. */
  get #isFree(): boolean {
    return this.#timers.length > 0 && this.#advancing === 0 && this.#holds.isFree && !this.#isStopped;
  }

  #schedule(): void {
    this.#events++;
    // A turn that waits for real work is requested again.
    const isWoken = !this.#isStopped && this.#run?.realWork.onEvent();
    if (isWoken || (this.#isFree && !this.#isTurnRequested)) {
      this.#isTurnRequested = true;
      requestTurn(this.#turn);
    }
    this.#watch();
  }

  readonly #turn = (): void => {
    // Code of that turn may hold the time, or have canceled the timer.
    const timer = this.#isFree ? this.#next : undefined;
    const jumpMs = timer ? timer.at - this.#now : 0;
    if (this.#run && jumpMs > 0 && !this.#mayJump(this.#run, jumpMs)) return;
    this.#isTurnRequested = false;
    try {
      if (timer) this.#fire(timer);
    } finally {
      // What a callback throws is reported by the runtime, and does not stop the time.
      this.#schedule();
    }
  };

  #mayJump({ realWork, immediates }: RunObserver, jumpMs: number): boolean {
    if (realWork.isUnderWay()) {
      realWork.requestTurn(this.#turn);
      return false;
    }
    // A wait for work that nobody shows ends in any case, so the time does not stand still.
    this.#events++;
    return realWork.admits(jumpMs, immediates, this.#turn);
  }

  #fire(timer: QueuedTimer): void {
    const jumpMs = timer.at - this.#now;
    this.#events++;
    this.jumps++;
    this.#reads = 0;
    this.#now = Math.max(this.#now, timer.at);
    this.#run?.realWork.onJump(jumpMs);
    this.#run?.onJump();
    if (this.#remove(timer)) timer.callback();
  }

  /** Keeps an eye on a run, and otherwise on what holds the time, for as long as something does. */
  #watch(): void {
    const isHeld = this.#timers.length > 0 && !this.#holds.isFree;
    const isWatched = this.#run ? !this.#isStopped : isHeld;
    if (isWatched && this.#watchdog === undefined) {
      let last = this.#events;
      let ticks = 0;
      this.#watchdog = real.setInterval(() => {
        ticks = this.#events === last ? ticks + 1 : 0;
        last = this.#events;
        if (ticks >= (this.#run?.realWork.standstillTicks ?? STANDSTILL_TICKS)) this.#reportStandstill();
        else if (ticks >= IDLE_TICKS) this.#run?.realWork.onIdle();
      }, TICK_MS);
    } else if (!isWatched && this.#watchdog !== undefined) {
      real.clearInterval(this.#watchdog);
      this.#watchdog = undefined;
    }
  }

  #reportStandstill(): void {
    real.clearInterval(this.#watchdog);
    if (this.#run) this.#run.onStandstill(this.#holds.words);
    else this.#holds.fail();
  }
}

/** @throws TypeError for anything but a duration in milliseconds. */
function checked(ms: number): number {
  const problem = isDuration(ms);
  if (problem) throw new TypeError(`ms: ${problem}`);
  return ms;
}

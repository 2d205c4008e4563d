import type { Clock } from "./clock.ts";
import { nextTurn, requestTurn } from "./macrotask.ts";
import { type Random, randomFrom } from "./random.ts";

/**
 * The clock of a mock with virtual time. It jumps to its next timer as soon as nothing is under way: a token provider, the
 * input of createPlants, a request that has not reached the mock, the read of a body, or a gate. A wait in the mock does not
 * hold it.
 */
export interface VirtualClock {
  /** The virtual date, in milliseconds since the epoch. It begins at 1 January 2026. */
  date(): number;
  /** The virtual time since the mock was created, in milliseconds. */
  now(): number;
  /** The next random number of a fixed sequence, at least 0 and less than 1. */
  random(): number;
  /** Calls back after `ms` milliseconds of virtual time. */
  after(ms: number, callback: () => void): unknown;
  /** Cancels a timer. */
  cancel(timer: unknown): void;
  /** Holds the time until the returned function is called. */
  hold(what: string, subject?: object): () => void;
  /**
   * A wait of the test itself, in milliseconds of virtual time.
   *
   * @returns A promise that resolves when the time has come.
   */
  sleep(ms: number): Promise<void>;
  /**
   * Lets `ms` milliseconds pass, even if something holds the time.
   *
   * @returns A promise that resolves when they have passed.
   */
  advance(ms: number): Promise<void>;
}

/** 1 January 2026, so that the dates of a test are the same in every run. */
const START = Date.UTC(2026, 0, 1);

/** A standstill for this long in real time is an error. */
const STANDSTILL_MS = 2_000;

/** The runtime's own, which a test may replace later. */
const { setInterval: realInterval, clearInterval: clearRealInterval } = globalThis;

interface VirtualTimer {
  readonly at: number;
  readonly callback: () => void;
  /** Whether it is a wait of the code under test. */
  readonly isOwn: boolean;
}

/** Foreign code that time waits for. */
interface Hold {
  readonly what: string;
  readonly subject: object | undefined;
  /** The request is in the mock, which waits by this clock. */
  isPaused: boolean;
}

/** The part of a `RequestInit` by which a request in the mock is matched with its hold. */
type Sent = { readonly signal?: AbortSignal | null | undefined; readonly body?: unknown };

/**
 * Time that jumps to the next timer as soon as nothing is under way: no foreign code holds it, and one macrotask has passed,
 * in which every promise that could settle has done so.
 */
export class JumpingClock implements VirtualClock, Clock {
  #now = 0;
  /** In the order of their times. */
  readonly #timers: VirtualTimer[] = [];
  readonly #holds = new Set<Hold>();
  readonly #stalledBodies = new WeakSet<object>();
  #isTurnRequested = false;
  readonly #random: Random;
  #isAdvancing = false;
  /** Changes with everything that happens. */
  #events = 0;
  #watchdog: ReturnType<typeof setInterval> | undefined;
  #isAlwaysWatched = false;
  #onStandstill: ((reason: string) => void) | undefined;
  /** Called with the new time. */
  onJump: ((now: number) => void) | undefined;

  /** How many waits of the code under test are pending. */
  #ownWaits = 0;
  readonly #isSimulated: boolean;

  /**
   * @param seed - Of the random numbers, e.g. of jitter and tokens.
   * @param isSimulated - Whether foreign code waits by this clock too: nothing holds the time while it does.
   */
  constructor(seed = 1, isSimulated = false) {
    this.#random = randomFrom(seed);
    this.#isSimulated = isSimulated;
  }

  readonly date = (): number => START + this.#now;
  readonly now = (): number => this.#now;
  readonly random = (): number => this.#random();

  readonly randomBytes = (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => Math.floor(this.#random() * 256));

  readonly after = (ms: number, callback: () => void): VirtualTimer => {
    return this.#add({ at: this.#now + Math.max(0, ms), callback, isOwn: false });
  };

  /** A wait of the code under test. */
  readonly afterOwn = (ms: number, callback: () => void): VirtualTimer => {
    this.#ownWaits++;
    return this.#add({ at: this.#now + Math.max(0, ms), callback, isOwn: true });
  };

  #add(timer: VirtualTimer): VirtualTimer {
    const index = this.#timers.findLastIndex(({ at }) => at <= timer.at);
    this.#timers.splice(index + 1, 0, timer);
    this.#schedule();
    return timer;
  }

  readonly cancel = (timer: unknown): void => {
    const index = this.#timers.indexOf(timer as VirtualTimer);
    if (index < 0) return;
    const [{ isOwn }] = this.#timers.splice(index, 1) as [VirtualTimer];
    if (isOwn) this.#ownWaits--;
  };

  readonly sleep = (ms: number): Promise<void> => new Promise((resolve) => this.afterOwn(ms, resolve));

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    this.#isAdvancing = true;
    await nextTurn();
    for (let timer = this.#timers[0]; timer && timer.at <= end; timer = this.#timers[0]) {
      this.#run(timer);
      await nextTurn();
    }
    this.#now = end;
    this.#isAdvancing = false;
    this.#schedule();
  }

  readonly hold = (what: string, subject?: object): (() => void) => {
    if (subject && this.#stalledBodies.has(subject)) return () => {};
    const hold = { what, subject, isPaused: false };
    this.#holds.add(hold);
    this.#schedule();
    return () => {
      if (this.#holds.delete(hold)) this.#schedule();
    };
  };

  /**
   * Lets time pass while a request waits in the mock. Several may be on their way: it is found by its signal, else by its
   * body; else it is the oldest.
   *
   * @returns The function that is called when the mock responds.
   */
  pauseHoldOf(sent: Sent): () => void {
    const fetches = [...this.#holds].filter(({ subject, isPaused }) => subject && "method" in subject && !isPaused);
    const bySignal = fetches.find(({ subject }) => sent.signal && (subject as Sent).signal === sent.signal);
    const hold = bySignal ?? fetches.find(({ subject }) => (subject as Sent).body === sent.body) ?? fetches[0];
    if (!hold) return () => {};
    hold.isPaused = true;
    this.#schedule();
    return () => {
      hold.isPaused = false;
      this.#schedule();
    };
  }

  /** A body that stalls is read without a hold: the deadline of the call has to pass. */
  ignore(body: object): void {
    this.#stalledBodies.add(body);
  }

  /** Watches until `stop`, also for code that waits for no timer, and reports a standstill instead of throwing. */
  watch(onStandstill: (reason: string) => void): void {
    this.#isAlwaysWatched = true;
    this.#onStandstill = onStandstill;
    this.#watch();
  }

  /** Drops every timer and hold. */
  stop(): void {
    this.#isAlwaysWatched = false;
    this.#timers.length = 0;
    this.#ownWaits = 0;
    this.#holds.clear();
    this.#schedule();
  }

  /** What holds the time now. */
  get #active(): Hold[] {
    if (this.#isSimulated && this.#ownWaits > 0) return [];
    return [...this.#holds].filter(({ isPaused }) => !isPaused);
  }

  /** Whether time may jump to the next timer. */
  get #isFree(): boolean {
    return this.#timers.length > 0 && this.#active.length === 0 && !this.#isAdvancing;
  }

  #schedule(): void {
    this.#events++;
    if (this.#isFree && !this.#isTurnRequested) {
      this.#isTurnRequested = true;
      requestTurn(this.#jump);
    }
    this.#watch();
  }

  readonly #jump = (): void => {
    this.#isTurnRequested = false;
    // Code of that turn may hold the time, or have canceled the timer.
    if (this.#isFree) this.#run(this.#timers[0] as VirtualTimer);
    this.#schedule();
  };

  #run(timer: VirtualTimer): void {
    this.#events++;
    this.cancel(timer);
    this.#now = Math.max(this.#now, timer.at);
    this.onJump?.(this.#now);
    timer.callback();
  }

  /** Keeps an eye on what holds the time, for as long as something does. */
  #watch(): void {
    const isHeld = this.#active.length > 0 && this.#timers.length > 0;
    const isWatched = isHeld || this.#isAlwaysWatched;
    if (isWatched && this.#watchdog === undefined) {
      let last = this.#events;
      this.#watchdog = realInterval(() => {
        if (this.#events === last) this.#reportStandstill();
        last = this.#events;
      }, STANDSTILL_MS);
    } else if (!isWatched && this.#watchdog !== undefined) {
      clearRealInterval(this.#watchdog);
      this.#watchdog = undefined;
    }
  }

  /** Thrown in a timer, and so reported by every test runner: the call itself waits, and can report nothing. */
  #reportStandstill(): void {
    const whats = [...new Set(this.#active.map(({ what }) => what))].join(" and ") || "something that never comes";
    clearRealInterval(this.#watchdog);
    const reason = `virtual time has stood still for ${STANDSTILL_MS / 1000} s, because it waits for ${whats}`;
    if (this.#onStandstill) this.#onStandstill(reason);
    else throw new Error(`${reason}; let that settle, pass over it with clock.advance(ms), or use real time`);
  }
}

// A clock that jumps to its next timer, so that ten minutes of an outage take a moment. The same seed, the same run.
export class JumpingClock {
  #now = 0;
  #timers = [];
  #state;

  constructor(seed) {
    this.#state = seed;
  }

  now() {
    return this.#now;
  }

  date() {
    return Date.UTC(2026, 10, 26) + this.#now;
  }

  /** mulberry32 */
  random() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** The earliest timer is last; of two at the same time, the one that was set first. */
  after(ms, callback) {
    const timer = { at: this.#now + ms, callback };
    let place = this.#timers.length;
    while (place > 0 && this.#timers[place - 1].at <= timer.at) place--;
    this.#timers.splice(place, 0, timer);
    return timer;
  }

  cancel(timer) {
    const place = this.#timers.indexOf(timer);
    if (place >= 0) this.#timers.splice(place, 1);
  }

  sleep(ms) {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Lets time pass until the promise settles. */
  async until(promise) {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    promise.then(settle, settle);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isSettled) return promise;
      const next = this.#timers.pop();
      if (!next) throw new Error("nothing is waited for");
      this.#now = next.at;
      next.callback();
    }
  }
}

/** What time waits for. */
interface Hold {
  readonly what: string;
  /** Fails what is held. Present if it is code that a client called. */
  readonly reject: ((reason: Error) => void) | undefined;
}

/**
 * What holds virtual time: code that a client called and that may do real work (a `fetch`, a token provider, the read of a
 * body), and everything that holds it by name. Time passes while such code only waits by the clock: in the mock, or in
 * `sleep`. Which waits for which is not known, so both are counted.
 */
export class Holds {
  readonly #onChange: () => void;
  readonly #held = new Set<Hold>();
  /** How many of them a client called. */
  #called = 0;
  /** How many waits of such code are pending. */
  #waits = 0;
  /** Fails the pending sleeps. */
  readonly #sleeps = new Set<(reason: Error) => void>();
  /** How many of these waits nobody awaits any more, because their client has given up. */
  #left = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Whether nothing holds the time. */
  get isFree(): boolean {
    return this.#held.size === this.#called && this.#waits - this.#left >= this.#called;
  }

  /** Holds the time until the returned function is called: with `true` if its client has given up. */
  readonly take = (what: string, reject?: (reason: Error) => void): ((isLeft?: boolean) => void) => {
    const hold = { what, reject };
    this.#held.add(hold);
    if (reject) this.#called++;
    this.#onChange();
    return (isLeft) => {
      if (!this.#held.delete(hold)) return;
      if (reject) {
        this.#called--;
        if (isLeft) this.#left = Math.max(this.#left, this.#waits - this.#called);
      }
      this.#onChange();
    };
  };

  /**
   * Creates the function that begins a wait by the clock, and returns the function that ends it. If no client has called
   * any code by now, it is the test's own wait, which lets no other pass.
   */
  readonly waiter = (): (() => () => void) => {
    if (this.#called === 0) return () => () => {};
    return () => {
      let isOver = false;
      this.#waits++;
      this.#onChange();
      return () => {
        if (isOver) return;
        isOver = true;
        this.#waits--;
        if (this.#left > 0) this.#left--;
        this.#onChange();
      };
    };
  };

  /** A sleep, which fails when time stands still. */
  async sleep(begin: (resolve: () => void) => void): Promise<void> {
    let fail!: (reason: Error) => void;
    const sleep = new Promise<void>((resolve, reject) => {
      fail = reject;
      begin(resolve);
    });
    this.#sleeps.add(fail);
    await sleep.finally(() => this.#sleeps.delete(fail));
  }

  /** What the time waits for, in words. */
  get words(): string {
    return [...new Set([...this.#held].map(({ what }) => what))].join(" and ");
  }

  /**
   * Fails what is held, because time has stood still: calls of clients and sleeps fail. If there are none, what a test holds
   * itself is reported as an error in a timer.
   */
  fail(): void {
    const error = new Error(
      `virtual time has stood still for 4 s, because it waits for ${this.words}; let that settle, wait by ` +
        "clock.sleep(ms), pass over it with clock.advance(ms), or use real time",
    );
    // What is failed may release its hold at once.
    const isAwaited = this.#called + this.#sleeps.size > 0;
    for (const { reject } of this.#held) reject?.(error);
    for (const fail of this.#sleeps) fail(error);
    if (!isAwaited) throw error;
  }
}

/** A timer of virtual time. */
export interface VirtualTimer {
  /** When it fires. */
  readonly at: number;
  /** What is done then. */
  readonly callback: () => void;
  /** Whose timer it is, if its owner may end before it fires. */
  readonly owner: object | undefined;
}

/** Pending timers, the next one first. Those of one time are in the order in which they were added. */
export class TimerQueue {
  #timers: VirtualTimer[] = [];

  /** The next timer. */
  get first(): VirtualTimer | undefined {
    return this.#timers[0];
  }

  add(timer: VirtualTimer): void {
    let low = 0;
    for (let high = this.#timers.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((this.#timers[middle] as VirtualTimer).at > timer.at) high = middle;
      else low = middle + 1;
    }
    this.#timers.splice(low, 0, timer);
  }

  /** Removes a timer. Returns whether it was pending. */
  remove(timer: unknown): boolean {
    const position = this.#timers.indexOf(timer as VirtualTimer);
    if (position >= 0) this.#timers.splice(position, 1);
    return position >= 0;
  }

  /** Removes the timers of an owner; without one, all. */
  removeAll(owner?: object): void {
    this.#timers = owner ? this.#timers.filter((timer) => timer.owner !== owner) : [];
  }
}

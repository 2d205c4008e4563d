/** A timer of virtual time. */
export interface VirtualTimer {
  /** When it fires. */
  readonly at: number;
  /** What is done then. */
  readonly callback: () => void;
  /** Whose timer it is, if its owner may end before it fires. */
  readonly owner: object | undefined;
  /** Which of the timers of its queue it is: those of one time fire in this order. */
  order: number;
  /** Its position in the heap; negative if it is not pending. */
  position: number;
}

/** Pending timers, the next one first: a binary heap, in which every timer knows its position. */
export class TimerQueue {
  readonly #heap: VirtualTimer[] = [];
  #added = 0;

  /** The next timer. */
  get first(): VirtualTimer | undefined {
    return this.#heap[0];
  }

  add(at: number, callback: () => void, owner: object | undefined): VirtualTimer {
    const timer = { at, callback, owner, order: this.#added++, position: this.#heap.length };
    this.#heap.push(timer);
    this.#rise(timer);
    return timer;
  }

  /** Removes a timer. Returns whether it was pending. */
  remove(timer: VirtualTimer): boolean {
    const { position } = timer;
    if (this.#heap[position] !== timer) return false;
    const last = this.#heap.pop() as VirtualTimer;
    if (last !== timer) {
      this.#put(last, position);
      this.#rise(last);
      this.#sink(last);
    }
    timer.position = -1;
    return true;
  }

  /** Removes the timers of an owner; without one, all. */
  removeAll(owner?: object): void {
    for (const timer of [...this.#heap]) if (owner === undefined || timer.owner === owner) this.remove(timer);
  }

  #rise(timer: VirtualTimer): void {
    for (;;) {
      const above = (timer.position - 1) >> 1;
      const parent = this.#heap[above];
      if (!parent || isBefore(parent, timer)) return;
      this.#put(parent, timer.position);
      this.#put(timer, above);
    }
  }

  #sink(timer: VirtualTimer): void {
    for (;;) {
      const left = this.#heap[2 * timer.position + 1];
      const right = this.#heap[2 * timer.position + 2];
      const child = left && right && isBefore(right, left) ? right : left;
      if (!child || isBefore(timer, child)) return;
      const { position } = child;
      this.#put(child, timer.position);
      this.#put(timer, position);
    }
  }

  #put(timer: VirtualTimer, position: number): void {
    this.#heap[position] = timer;
    timer.position = position;
  }
}

function isBefore(one: VirtualTimer, other: VirtualTimer): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

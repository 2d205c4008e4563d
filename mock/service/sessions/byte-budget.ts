/** A journal that shares a budget. */
interface Member {
  /** The sequence number of its oldest request that takes bytes; infinite if there is none. */
  readonly oldest: number;
  /** Drops what that request keeps, and subtracts its bytes. */
  dropOldest(): void;
}

/** Limits the bytes of several journals together: above the limit, the oldest requests of all are dropped. */
export class ByteBudget {
  readonly #limit: number;
  readonly #members: () => readonly Member[];
  #total = 0;

  constructor(limit: number, members: () => readonly Member[]) {
    this.#limit = limit;
    this.#members = members;
  }

  /** @param bytes - Negative if they are no longer kept. */
  add(bytes: number): void {
    this.#total += bytes;
  }

  /** Drops the oldest requests until the total is within the limit. */
  trim(): void {
    while (this.#total > this.#limit) {
      const first = this.#members().reduce((first, other) => (other.oldest < first.oldest ? other : first));
      first.dropOldest();
    }
  }
}

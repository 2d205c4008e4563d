/** Bytes that budgets count until their holder releases them. */
export interface Holding {
  readonly bytes: number;
  /** Absent once it has released the bytes. */
  holder: Holder | undefined;
}

interface Holder {
  /** Drops the bytes, and releases them in every budget. */
  drop(): void;
}

/** Limits the bytes of all holders together: above the limit, the oldest drop theirs. */
export class ByteBudget {
  readonly #limit: number;
  /** Oldest first. Released ones stay until they are half of all, because finding each of them would take long. */
  #holdings: Holding[] = [];
  #released = 0;
  /** Where the oldest that is not released may be: all before it are. */
  #oldest = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(holding: Holding): void {
    this.#holdings.push(holding);
    this.#total += holding.bytes;
  }

  /** Subtracts the bytes of a holding that its holder has just released. */
  subtract({ bytes }: Holding): void {
    this.#total -= bytes;
    this.#released++;
    if (this.#released * 2 < this.#holdings.length) return;
    this.#holdings = this.#holdings.filter(({ holder }) => holder !== undefined);
    this.#released = 0;
    this.#oldest = 0;
  }

  /** Makes the oldest holders drop their bytes until the total is within the limit. */
  trim(): void {
    while (this.#total > this.#limit) (this.#holdings[this.#oldest++] as Holding).holder?.drop();
  }
}

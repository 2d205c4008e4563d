/** Holds so many bytes, and can drop them. */
export interface Holder {
  readonly bytes: number;
  /** Drops them, and removes itself from every budget. */
  drop(): void;
}

/** Keeps what holders have within a limit: above it, the oldest drop theirs. */
export class ByteBudget {
  readonly #limit: number;
  readonly #held = new Map<Holder, number>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(holder: Holder): void {
    this.#held.set(holder, holder.bytes);
    this.#total += holder.bytes;
  }

  remove(holder: Holder): void {
    this.#total -= this.#held.get(holder) ?? 0;
    this.#held.delete(holder);
  }

  /** Has the oldest holders drop what they hold until the rest is within the limit. */
  trim(): void {
    for (const holder of this.#held.keys()) {
      if (this.#total <= this.#limit) return;
      holder.drop();
    }
  }
}

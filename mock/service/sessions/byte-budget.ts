/** Holds bytes that it can drop. */
export interface Holder {
  readonly bytes: number;
  /** Drops the bytes, and removes the holder from every budget. */
  drop(): void;
}

/** Limits the bytes of all holders together: above the limit, the oldest drop theirs. */
export class ByteBudget {
  readonly #limit: number;
  readonly #held = new Map<Holder, number>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(holder: Holder): void {
    const { bytes } = holder;
    this.#held.set(holder, bytes);
    this.#total += bytes;
  }

  remove(holder: Holder): void {
    this.#total -= this.#held.get(holder) ?? 0;
    this.#held.delete(holder);
  }

  /** Makes the oldest holders drop their bytes until the total is within the limit. */
  trim(): void {
    // Not a loop over the keys: even its beginning takes as long as many keys were removed since the map last grew.
    while (this.#total > this.#limit) (this.#held.keys().next().value as Holder).drop();
  }
}

import { type Linked, LinkedList } from "../linked-list.ts";

/** A request that a journal keeps. */
export interface Kept extends Linked<Kept> {
  /** Its size; 0 until it is over. */
  readonly bytes: number;
  /** The journal that keeps its bytes; undefined if they were dropped. */
  keeper: Keeper | undefined;
}

interface Keeper {
  drop(kept: Kept): void;
}

/** Limits the bytes of several journals together: above the limit, the oldest requests of all are dropped. */
export class ByteBudget {
  readonly #limit: number;
  /** The requests whose bytes are kept, or will be when they are over, in the order of their arrival. */
  readonly #kept = new LinkedList<Kept>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Called when a request arrives. */
  keep(kept: Kept, keeper: Keeper): void {
    kept.keeper = keeper;
    this.#kept.push(kept);
  }

  /** Called when the bytes of a request are no longer kept. */
  release(kept: Kept): void {
    if (kept.keeper === undefined) return;
    kept.keeper = undefined;
    this.#kept.remove(kept);
    // Otherwise a request that outlives its journal would keep all later ones in memory.
    kept.next = undefined;
  }

  /** @param bytes - Negative if they are no longer kept. */
  add(bytes: number): void {
    this.#total += bytes;
  }

  /** Drops the oldest requests until the total is within the limit. */
  trim(): void {
    for (let kept = this.#kept.first; kept && this.#total > this.#limit; ) {
      const { next, keeper } = kept;
      if (kept.bytes > 0) (keeper as Keeper).drop(kept);
      kept = next;
    }
  }
}

/** A journal that shares a budget. */
interface Member {
  /** The sequence number of its oldest request that takes bytes; infinite if there is none. */
  readonly oldest: number;
  /** Drops what that request keeps, and subtracts its bytes. */
  dropOldest(): void;
}

/** The open sessions, each with its current journal. */
type Sessions = Iterable<{ readonly state: { readonly journal: Member } }>;

/** Limits the bytes of several journals together: above the limit, the oldest requests of all are dropped. */
export class ByteBudget {
  readonly #limit: number;
  readonly #sessions: Sessions;
  #total = 0;

  constructor(limit: number, sessions: Sessions) {
    this.#limit = limit;
    this.#sessions = sessions;
  }

  /** @param bytes - Negative if they are no longer kept. */
  add(bytes: number): void {
    this.#total += bytes;
  }

  /** Drops the oldest requests until the total is within the limit. */
  trim(): void {
    while (this.#total > this.#limit) this.#first().dropOldest();
  }

  /** Reads each `oldest` once: with thousands of sessions, a drop takes most of its time here. */
  #first(): Member {
    let first: Member | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const { state } of this.#sessions) {
      const { oldest } = state.journal;
      if (oldest >= least) continue;
      first = state.journal;
      least = oldest;
    }
    return first as Member;
  }
}

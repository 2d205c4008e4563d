import { ByteBudget } from "./byte-budget.ts";
import type { JournalEntry } from "./journal-entry.ts";

/** The newest requests of one session, oldest first, and the count of all. A ring buffer bounds the memory. */
export class Journal {
  readonly #limit: number;
  readonly #budgets: readonly ByteBudget[];
  #ring: JournalEntry[] = [];
  #count = 0;
  #clears = 0;

  /** @param shared - The byte budget of all sessions together. */
  constructor(limit: number, limitBytes: number, shared: ByteBudget) {
    this.#limit = limit;
    this.#budgets = [new ByteBudget(limitBytes), shared];
  }

  get count(): number {
    return this.#count;
  }

  /** How often it was cleared. */
  get clears(): number {
    return this.#clears;
  }

  get last(): JournalEntry | undefined {
    return this.#ring[(this.#count - 1) % this.#limit];
  }

  push(entry: JournalEntry): void {
    entry.number = ++this.#count;
    if (this.#limit === 0) return;
    const index = (this.#count - 1) % this.#limit;
    this.#ring[index]?.forget();
    this.#ring[index] = entry;
    entry.keep(this.#budgets);
  }

  clear(): void {
    for (const entry of this.#ring) entry.forget();
    this.#ring = [];
    this.#count = 0;
    this.#clears++;
  }

  /** At most `limit` of the kept entries whose number is above `after`. */
  page(after: number, limit: number): JournalEntry[] {
    const entries: JournalEntry[] = [];
    const first = Math.max(after, this.#count - this.#ring.length);
    for (let i = first; i < Math.min(first + limit, this.#count); i++) {
      entries.push(this.#ring[i % this.#limit] as JournalEntry);
    }
    return entries;
  }
}

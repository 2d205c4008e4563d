import { ByteBudget } from "./byte-budget.ts";
import type { JournalEntry } from "./journal-entry.ts";

/** An entry, and which of all it is. */
export interface NumberedEntry {
  readonly number: number;
  readonly entry: JournalEntry;
}

/** The newest exchanges of one session, oldest first; all are counted. A ring, so that a long run stays flat. */
export class Journal {
  readonly #limit: number;
  readonly #budgets: readonly ByteBudget[];
  #ring: JournalEntry[] = [];
  #count = 0;

  /** @param shared - The budget of all sessions. */
  constructor(limit: number, limitBytes: number, shared: ByteBudget) {
    this.#limit = limit;
    this.#budgets = [new ByteBudget(limitBytes), shared];
  }

  get count(): number {
    return this.#count;
  }

  get last(): JournalEntry | undefined {
    return this.#ring[(this.#count - 1) % this.#limit];
  }

  push(entry: JournalEntry): void {
    if (this.#limit > 0) {
      const index = this.#count % this.#limit;
      this.#ring[index]?.forget();
      this.#ring[index] = entry;
      entry.keep(this.#budgets);
    }
    this.#count++;
  }

  clear(): void {
    for (const entry of this.#ring) entry.forget();
    this.#ring = [];
    this.#count = 0;
  }

  /** Some of the entries that are kept, numbered from 1 since the journal was cleared. */
  page(after: number, limit: number): NumberedEntry[] {
    const entries: NumberedEntry[] = [];
    const first = Math.max(after, this.#count - this.#ring.length);
    for (let i = first; i < Math.min(first + limit, this.#count); i++) {
      entries.push({ number: i + 1, entry: this.#ring[i % this.#limit] as JournalEntry });
    }
    return entries;
  }

  /** The entries of this moment: one that arrives during the iteration is not among them. */
  [Symbol.iterator](): Iterator<JournalEntry> {
    const oldest = this.#count % this.#limit || 0;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)].values();
  }
}

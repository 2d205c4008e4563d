import type { JournalEntry } from "./journal-entry.ts";

/** An entry, and which of all it is. */
export interface NumberedEntry {
  readonly number: number;
  readonly entry: JournalEntry;
}

/** The newest exchanges of one session, oldest first; all are counted. A ring, so that a long run stays flat. */
export class Journal {
  readonly #limit: number;
  #ring: JournalEntry[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  get last(): JournalEntry | undefined {
    return this.#ring[(this.#count - 1) % this.#limit];
  }

  push(entry: JournalEntry): void {
    if (this.#limit > 0) this.#ring[this.#count % this.#limit] = entry;
    this.#count++;
  }

  clear(): void {
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

  *[Symbol.iterator](): Generator<JournalEntry, undefined> {
    const ring = this.#ring;
    const oldest = this.#count % this.#limit;
    for (let i = 0; i < ring.length; i++) yield ring[(oldest + i) % ring.length] as JournalEntry;
  }
}

import type { JournalEntry } from "./journal-entry.ts";

/** The newest requests of one session, oldest first, and the count of all. A ring buffer bounds the memory. */
export class Journal {
  readonly #limit: number;
  #ring: JournalEntry[] = [];
  #count = 0;
  #hasReceived = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether any request arrived, even if it was cleared since. */
  get hasReceived(): boolean {
    return this.#hasReceived;
  }

  get last(): JournalEntry | undefined {
    return this.#ring[(this.#count - 1) % this.#limit];
  }

  push(entry: JournalEntry): void {
    entry.number = ++this.#count;
    this.#hasReceived = true;
    if (this.#limit > 0) this.#ring[(this.#count - 1) % this.#limit] = entry;
  }

  clear(): void {
    this.#ring = [];
    this.#count = 0;
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

  /** The kept entries, newest first. */
  *newest(): Generator<JournalEntry, undefined> {
    const first = this.#count - this.#ring.length;
    for (let i = this.#count - 1; i >= first; i--) yield this.#ring[i % this.#limit] as JournalEntry;
  }
}

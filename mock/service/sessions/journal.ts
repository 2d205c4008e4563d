import type { JournalEntry } from "./journal-entry.ts";

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

  *[Symbol.iterator](): Generator<JournalEntry, undefined> {
    const ring = this.#ring;
    const oldest = this.#count % this.#limit;
    for (let i = 0; i < ring.length; i++) yield ring[(oldest + i) % ring.length] as JournalEntry;
  }
}

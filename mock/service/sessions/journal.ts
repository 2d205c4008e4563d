import type { ByteBudget } from "./byte-budget.ts";
import type { JournalEntry } from "./journal-entry.ts";

/** The newest requests of one session, oldest first, and the count of all. A ring buffer bounds the memory. */
export class Journal {
  readonly #limit: number;
  readonly #limitBytes: number;
  readonly #shared: ByteBudget;
  #ring: JournalEntry[] = [];
  #count = 0;
  #clears = 0;
  #bytes = 0;
  /** Requests up to this number have no bytes: they are still open, or were dropped. */
  #emptyUntil = 0;

  /** @param shared - The byte budget of all sessions together. */
  constructor(limit: number, limitBytes: number, shared: ByteBudget) {
    this.#limit = limit;
    this.#limitBytes = limitBytes;
    this.#shared = shared;
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
    const evicted = this.#ring[index];
    if (evicted !== undefined) {
      this.#add(-evicted.bytes);
      this.#shared.release(evicted);
    }
    this.#ring[index] = entry;
    this.#shared.keep(entry, this);
  }

  /** Counts the bytes of a request that is over, unless the journal no longer keeps it. */
  settle(entry: JournalEntry): void {
    if (this.#ring[(entry.number - 1) % this.#limit] !== entry) return;
    entry.bytes = entry.countBytes();
    this.#add(entry.bytes);
    this.#emptyUntil = Math.min(this.#emptyUntil, entry.number - 1);
    while (this.#bytes > this.#limitBytes) this.drop(this.#oldest);
    this.#shared.trim();
  }

  /** Drops what a request keeps. */
  drop(entry: JournalEntry): void {
    this.#add(-entry.bytes);
    entry.drop();
    this.#shared.release(entry);
  }

  clear(): void {
    this.#add(-this.#bytes);
    for (const entry of this.#ring) this.#shared.release(entry);
    this.#ring = [];
    this.#count = 0;
    this.#clears++;
    this.#emptyUntil = 0;
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

  /** The oldest request that has bytes. Called only if one has. */
  get #oldest(): JournalEntry {
    this.#emptyUntil = Math.max(this.#emptyUntil, this.#count - this.#ring.length);
    for (; ; this.#emptyUntil++) {
      const entry = this.#ring[this.#emptyUntil % this.#limit] as JournalEntry;
      if (entry.bytes > 0) return entry;
    }
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    this.#shared.add(bytes);
  }
}

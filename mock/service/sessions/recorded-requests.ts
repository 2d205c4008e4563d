import type { RequestRecord } from "./request-record.ts";

/** The newest requests of one session, oldest first, and the count of all. A ring buffer bounds the memory. */
export class RecordedRequests {
  count = 0;
  #ring: RequestRecord[] = [];

  constructor(private readonly limit: number) {}

  get last(): RequestRecord | undefined {
    return this.#ring[(this.count - 1) % this.limit];
  }

  push(record: RequestRecord): void {
    record.number = ++this.count;
    if (this.limit > 0) this.#ring[(this.count - 1) % this.limit] = record;
  }

  clear(): void {
    this.#ring = [];
    this.count = 0;
  }

  /** At most `limit` of the kept records whose number is above `after`. */
  page(after: number, limit: number): RequestRecord[] {
    const records: RequestRecord[] = [];
    const first = Math.max(after, this.count - this.#ring.length);
    for (let i = first; i < Math.min(first + limit, this.count); i++) {
      records.push(this.#ring[i % this.limit] as RequestRecord);
    }
    return records;
  }
}

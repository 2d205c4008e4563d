import type { Redis } from "ioredis";

/** What is known about the plant of one row. */
export type Entry =
  /** A worker is sending it, or died while it was. Once the queue is empty this means: it may exist, a person decides. */
  | { readonly state: "sending"; readonly reason?: string }
  | { readonly state: "created" }
  | { readonly state: "refused"; readonly reason: string };

/**
 * Requests and their results. A request is recorded before it is sent, so that no crash can lose it.
 *
 * A queue delivers a job again if its worker dies. That is right for most jobs, and wrong for a POST: the ledger keeps
 * the second delivery from sending the plant a second time.
 */
export class Ledger {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Reserves the ledger for one import. If it returns false, the rows that it knows are those of another one. */
  async reserve(name: string): Promise<boolean> {
    await this.#redis.setnx(NAME_KEY, name);
    return (await this.#redis.get(NAME_KEY)) === name;
  }

  /** Claims a row for sending. If it returns an entry, the row is claimed or settled already, and must not be sent. */
  async claim(row: number): Promise<Entry | undefined> {
    const isNew = await this.#redis.hsetnx(KEY, `${row}`, JSON.stringify({ state: "sending" }));
    return isNew === 1 ? undefined : this.read(row);
  }

  /** Records the result of a row. */
  async settle(row: number, entry: Entry): Promise<void> {
    await this.#redis.hset(KEY, `${row}`, JSON.stringify(entry));
  }

  /** Frees a row whose plant was not created. */
  async release(row: number): Promise<void> {
    await this.#redis.hdel(KEY, `${row}`);
  }

  async read(row: number): Promise<Entry | undefined> {
    const text = await this.#redis.hget(KEY, `${row}`);
    return text === null ? undefined : JSON.parse(text);
  }

  /** Every entry, by row. */
  async entries(): Promise<Map<number, Entry>> {
    const entries = Object.entries(await this.#redis.hgetall(KEY));
    const byRow = entries.map(([row, text]): [number, Entry] => [Number(row), JSON.parse(text)]);
    return new Map(byRow.sort(([a], [b]) => a - b));
  }
}

const NAME_KEY = "plant-import:name";
const KEY = "plant-import:ledger";

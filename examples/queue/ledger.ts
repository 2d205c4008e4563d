import type { Redis } from "ioredis";

/** What is known about the plant of one line. */
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

  /** Claims a line for sending. If it returns an entry, the line is claimed or settled already, and must not be sent. */
  async claim(line: number): Promise<Entry | undefined> {
    const isNew = await this.#redis.hsetnx(KEY, `${line}`, JSON.stringify({ state: "sending" }));
    return isNew === 1 ? undefined : this.read(line);
  }

  /** Records the result of a line. */
  async settle(line: number, entry: Entry): Promise<void> {
    await this.#redis.hset(KEY, `${line}`, JSON.stringify(entry));
  }

  /** Frees a line whose plant was not created. */
  async release(line: number): Promise<void> {
    await this.#redis.hdel(KEY, `${line}`);
  }

  async read(line: number): Promise<Entry | undefined> {
    const text = await this.#redis.hget(KEY, `${line}`);
    return text === null ? undefined : JSON.parse(text);
  }

  /** Every entry, by line. */
  async entries(): Promise<Map<number, Entry>> {
    const entries = Object.entries(await this.#redis.hgetall(KEY));
    const byLine = entries.map(([line, text]): [number, Entry] => [Number(line), JSON.parse(text)]);
    return new Map(byLine.sort(([a], [b]) => a - b));
  }
}

const KEY = "plant-import:ledger";

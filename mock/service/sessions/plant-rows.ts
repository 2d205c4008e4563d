import { narrowInt64 } from "../../../src/contract/int64.ts";
import type { NewPlant } from "../../../src/contract/plant.ts";

/** Plants in the order of creation. Rows are never changed. */
export class PlantList {
  readonly rows: NewPlant[];
  readonly #newest = new Map<number | bigint, NewPlant>();
  #indexed = 0;

  constructor(rows: NewPlant[]) {
    this.rows = rows;
  }

  /** The newest row with this id. Updates the index here, so that creating a plant does not have to. */
  get(id: number | bigint): NewPlant | undefined {
    for (; this.#indexed < this.rows.length; this.#indexed++) {
      const row = this.rows[this.#indexed] as NewPlant;
      this.#newest.set(row.id, row);
    }
    return this.#newest.get(id);
  }
}

/** The plants of one session: the seed, which all sessions share, followed by its own. */
export class PlantRows {
  readonly #seed: PlantList;
  readonly #own = new PlantList([]);

  constructor(seed: PlantList) {
    this.#seed = seed;
  }

  get size(): number {
    return this.#seed.rows.length + this.#own.rows.length;
  }

  push(row: NewPlant): void {
    this.#own.rows.push(row);
  }

  get(id: number | bigint): NewPlant | undefined {
    const narrow = typeof id === "bigint" ? narrowInt64(id) : id;
    return this.#own.get(narrow) ?? this.#seed.get(narrow);
  }

  /** Copies of at most `limit` plants after the first `after`. */
  page(after: number, limit: number): NewPlant[] {
    const { length } = this.#seed.rows;
    const seeded = this.#seed.rows.slice(after, after + limit);
    const own = this.#own.rows.slice(Math.max(0, after - length), Math.max(0, after + limit - length));
    return [...seeded, ...own].map(copyPlant);
  }

  /** A snapshot: a plant that is created during the iteration is not included. */
  *[Symbol.iterator](): Generator<NewPlant, undefined> {
    const { size } = this;
    for (let i = 0; i < size; i += PAGE) yield* this.page(i, Math.min(PAGE, size - i));
  }
}

/** How many plants an iteration copies at once. */
const PAGE = 1_000;

/** Copies a plant for a reader, so that a test cannot change the store by accident. */
export function copyPlant({ id, name, tag }: NewPlant): NewPlant {
  return tag === undefined ? { id, name } : { id, name, tag };
}

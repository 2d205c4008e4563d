import { narrowInt64 } from "../../../src/contract/int64.ts";
import type { NewPlant } from "../../../src/contract/plant.ts";

/** The plants of one session, in the order of their creation. Rows are never changed, so that sessions share them. */
export class PlantRows {
  readonly #rows: NewPlant[];
  readonly #newest = new Map<number | bigint, NewPlant>();
  #indexed = 0;

  constructor(seed: readonly NewPlant[]) {
    this.#rows = seed.slice();
  }

  get size(): number {
    return this.#rows.length;
  }

  push(row: NewPlant): void {
    this.#rows.push(row);
  }

  /** The newest row with this id. The index is brought up to date here, so that creating a plant costs no lookup. */
  get(id: number | bigint): NewPlant | undefined {
    for (; this.#indexed < this.#rows.length; this.#indexed++) {
      const row = this.#rows[this.#indexed] as NewPlant;
      this.#newest.set(row.id, row);
    }
    return this.#newest.get(typeof id === "bigint" ? narrowInt64(id) : id);
  }

  /** Some of the plants, without a look at the others. */
  page(after: number, limit: number): NewPlant[] {
    return this.#rows.slice(after, after + limit).map(copyPlant);
  }

  *[Symbol.iterator](): Generator<NewPlant, undefined> {
    for (const row of this.#rows) yield copyPlant(row);
  }
}

/** A plant of its own for whoever asks, so that a test cannot change the store by accident. */
export function copyPlant({ id, name, tag }: NewPlant): NewPlant {
  return tag === undefined ? { id, name } : { id, name, tag };
}

import { narrowInt64 } from "../../../src/contract/int64.ts";
import type { NewPlant } from "../../../src/contract/plant.ts";
import { PlantList } from "./plant-list.ts";

/** The plants of one session: the seed, which all sessions share, followed by its own. */
export class SeededPlants {
  readonly #seed: PlantList;
  readonly #own = new PlantList();

  constructor(seed: PlantList) {
    this.#seed = seed;
  }

  get size(): number {
    return this.#seed.size + this.#own.size;
  }

  /** @param json - The plant without its id, if it has been encoded. */
  push(plant: NewPlant, json?: string): void {
    this.#own.push(plant, json);
  }

  has(id: number | bigint): boolean {
    return this.#find(id) !== undefined;
  }

  /** The newest plant with this id. */
  get(id: number | bigint): NewPlant | undefined {
    const place = this.#find(id);
    return place === undefined ? undefined : this.page(place, 1)[0];
  }

  /** At most `limit` plants after the first `after`. */
  page(after: number, limit: number): NewPlant[] {
    const seeded = this.#seed.page(after, limit);
    return [...seeded, ...this.#own.page(Math.max(0, after - this.#seed.size), limit - seeded.length)];
  }

  /** A snapshot: a plant that is created during the iteration is not included. */
  *[Symbol.iterator](): Generator<NewPlant, undefined> {
    const { size } = this;
    for (let i = 0; i < size; i += PAGE_SIZE) yield* this.page(i, Math.min(PAGE_SIZE, size - i));
  }

  #find(id: number | bigint): number | undefined {
    const narrow = narrowInt64(id);
    const own = this.#own.find(narrow);
    return own === undefined ? this.#seed.find(narrow) : this.#seed.size + own;
  }
}

/** How many plants an iteration decodes at once. */
const PAGE_SIZE = 1_000;

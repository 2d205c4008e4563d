import { encodePlant } from "../../../src/contract/json.ts";
import type { NewPlant } from "../../../src/contract/plant.ts";

/**
 * Plants in the order of creation, kept as the JSON that the service returns, in blocks of many plants: an object for
 * each would make every garbage collection slower.
 */
export class PlantList {
  readonly #ids: (number | bigint)[] = [];
  /** The full blocks: one plant per line, or a list if the plants are large. */
  readonly #blocks: (string | string[])[] = [];
  #latest: string[] = [];
  readonly #newest = new Map<number | bigint, number>();
  #indexed = 0;

  get size(): number {
    return this.#ids.length;
  }

  /** @param json - The plant without its id, if it has been encoded. */
  push(plant: NewPlant, json: string = encodePlant(plant)): void {
    this.#ids.push(plant.id);
    this.#latest.push(json);
    if (this.#latest.length < BLOCK_SIZE) return;
    const characters = this.#latest.reduce((sum, { length }) => sum + length, 0);
    this.#blocks.push(characters > BLOCK_CHARACTERS ? this.#latest : this.#latest.join("\n"));
    this.#latest = [];
  }

  /** The place of the newest plant with this id. Updates the index here, so that creating a plant does not have to. */
  find(id: number | bigint): number | undefined {
    for (; this.#indexed < this.size; this.#indexed++) {
      this.#newest.set(this.#ids[this.#indexed] as number | bigint, this.#indexed);
    }
    return this.#newest.get(id);
  }

  /** At most `limit` plants after the first `after`. */
  page(after: number, limit: number): NewPlant[] {
    const plants: NewPlant[] = [];
    let block: readonly string[] = [];
    for (let i = after; i < Math.min(after + limit, this.size); i++) {
      if (i === after || i % BLOCK_SIZE === 0) block = this.#block(Math.floor(i / BLOCK_SIZE));
      plants.push({ id: this.#ids[i], ...JSON.parse(block[i % BLOCK_SIZE] as string) });
    }
    return plants;
  }

  #block(index: number): readonly string[] {
    const block = this.#blocks[index] ?? this.#latest;
    return typeof block === "string" ? block.split("\n") : block;
  }
}

/** How many plants a block has. */
const BLOCK_SIZE = 128;

/** Joining larger plants would not pay, and could exceed the maximum length of a string. */
const BLOCK_CHARACTERS = 2 ** 16;

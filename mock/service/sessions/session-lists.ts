import { describe } from "../../../src/checks/describe.ts";
import { isInt64 } from "../../../src/contract/int64.ts";
import type { NewPlant, ValidNewPlant } from "../../../src/contract/plant.ts";
import type { MockPlants, MockRequests, RecordedRequest } from "../mock-plant-store.ts";
import { toStoredPlant } from "../stored-plant.ts";
import { checkOpen, type SessionEntry } from "./session-registry.ts";

/** The method that `console.log` calls in Node, Bun and Deno. */
export const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

export class SessionPlants implements MockPlants {
  readonly #entry: SessionEntry;

  constructor(entry: SessionEntry) {
    this.#entry = entry;
  }

  get size(): number {
    return this.#entry.state.plants.size;
  }

  get(id: number | bigint): ValidNewPlant | undefined {
    checkId(id);
    return this.#entry.state.plants.get(id);
  }

  has(id: number | bigint): boolean {
    checkId(id);
    return this.#entry.state.plants.has(id);
  }

  add(plant: NewPlant): void {
    checkOpen(this.#entry, "plants.add");
    this.#entry.state.plants.push(toStoredPlant(plant, "plant"));
  }

  [Symbol.iterator](): Iterator<ValidNewPlant> {
    return this.#entry.state.plants[Symbol.iterator]();
  }

  [INSPECT](): object {
    return [...this];
  }
}

export class SessionRequests implements MockRequests {
  readonly #entry: SessionEntry;

  constructor(entry: SessionEntry) {
    this.#entry = entry;
  }

  get count(): number {
    return this.#entry.state.requests.count;
  }

  get last(): RecordedRequest | undefined {
    return this.#entry.state.requests.last?.view;
  }

  clear(): void {
    this.#entry.state.requests.clear();
  }

  *[Symbol.iterator](): Generator<RecordedRequest, undefined> {
    // A snapshot: a request that arrives during the iteration is not included.
    for (const record of this.#entry.state.requests.page(0, Number.POSITIVE_INFINITY)) yield record.view;
  }

  [INSPECT](): object {
    return [...this];
  }
}

/** @throws TypeError if the id of a plant to look up is not an int64. */
export function checkId(id: number | bigint): void {
  if (!isInt64(id)) throw new TypeError(`id: must be an int64, as a safe number or a bigint, not ${describe(id)}`);
}

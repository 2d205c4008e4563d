import type { Rules } from "../../src/checks/rules.ts";
import { narrowInt64 } from "../../src/contract/int64.ts";
import {
  FIELD_RULES,
  NEW_PLANT_FIELDS,
  NEW_PLANT_NAMES,
  type NewPlant,
  type ValidNewPlant,
  validateNewPlant,
} from "../../src/contract/plant.ts";
import type { PlantMatch } from "./mock-plant-store.ts";

/** The rule of each field of a {@link PlantMatch}. */
export const plantMatchRules = Object.fromEntries(
  NEW_PLANT_NAMES.map((name) => [name, FIELD_RULES[NEW_PLANT_FIELDS[name].type]]),
) as Rules<PlantMatch>;

/**
 * Copies a plant as the store holds it.
 *
 * @throws TypeError if it is not a valid NewPlant.
 */
export function toStoredPlant(plant: NewPlant, name: string): ValidNewPlant {
  const result = validateNewPlant(plant);
  if (!result.issues) return withNarrowIntegers(result.value);
  const problems = result.issues.map(({ path, message }) => `${[name, ...path].join(".")}: ${message}`);
  throw new TypeError(problems.join("; "));
}

/** A copy in which an integer is a bigint only if a number would round it, as in the store. */
export function withNarrowIntegers<Plant extends PlantMatch>(plant: Plant): Plant {
  const copy: Record<string, string | number | bigint | undefined> = { ...plant };
  for (const [name, value] of Object.entries(copy)) {
    if (typeof value === "number" || typeof value === "bigint") copy[name] = narrowInt64(value);
  }
  return copy as Plant;
}

/** Whether a plant has every field that the match has. */
export function isMatch(plant: ValidNewPlant, match: PlantMatch): boolean {
  return NEW_PLANT_NAMES.every((name) => match[name] === undefined || match[name] === plant[name]);
}

/** Plants in the order of creation: the initial ones, which lists share, and then the list's own. */
export class PlantList implements Iterable<ValidNewPlant> {
  readonly #own: ValidNewPlant[] = [];
  /** The newest own plant with each id, among the first `#indexed`: a lookup updates it, so that creating need not. */
  readonly #newest = new Map<number | bigint, ValidNewPlant>();
  #indexed = 0;

  constructor(private readonly initial?: PlantList) {}

  get size(): number {
    return this.#initialSize + this.#own.length;
  }

  get #initialSize(): number {
    return this.initial?.size ?? 0;
  }

  /** @param plant - Valid, with an id that is a bigint only if a number would round it. Do not change it afterwards. */
  push(plant: ValidNewPlant): void {
    this.#own.push(plant);
  }

  has(id: number | bigint): boolean {
    return this.find(narrowInt64(id)) !== undefined;
  }

  /** A copy of the newest plant with this id. */
  get(id: number | bigint): ValidNewPlant | undefined {
    const plant = this.find(narrowInt64(id));
    return plant && { ...plant };
  }

  /** Copies of at most `limit` plants after the first `after`. */
  page(after: number, limit: number): ValidNewPlant[] {
    const initial = this.initial?.page(after, limit) ?? [];
    const start = Math.max(0, after - this.#initialSize);
    const own = this.#own.slice(start, start + limit - initial.length);
    return [...initial, ...own.map((plant) => ({ ...plant }))];
  }

  /** Copies of all plants. A plant that is created during the iteration is not included. */
  [Symbol.iterator](): Iterator<ValidNewPlant, undefined> {
    return this.page(0, Number.POSITIVE_INFINITY)[Symbol.iterator]();
  }

  /** The newest plant itself. @param id - A bigint only if a number would round it. */
  find(id: number | bigint): ValidNewPlant | undefined {
    for (; this.#indexed < this.#own.length; this.#indexed++) {
      const plant = this.#own[this.#indexed] as ValidNewPlant;
      this.#newest.set(plant.id, plant);
    }
    return this.#newest.get(id) ?? this.initial?.find(id);
  }
}

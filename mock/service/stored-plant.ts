import { type Rule, type Rules, string } from "../../src/checks/rules.ts";
import { int64, narrowInt64 } from "../../src/contract/int64.ts";
import {
  type Field,
  NEW_PLANT_FIELDS,
  NEW_PLANT_NAMES,
  type NewPlant,
  type ValidNewPlant,
  validateNewPlant,
} from "../../src/contract/plant.ts";
import type { PlantMatch } from "./mock-plant-store.ts";

/** The rule of each type of field. */
const FIELD_RULES: Readonly<Record<Field["type"], Rule>> = { string, int64 };

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

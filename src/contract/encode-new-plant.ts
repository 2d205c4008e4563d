import { NEW_PLANT_NAMES, type ValidNewPlant } from "./plant.ts";

/** The headers of a request with a body: all bodies are JSON (contract, first paragraph). */
export const MEDIA_TYPES = { accept: "application/json", "content-type": "application/json" } as const;

/**
 * The request body of a valid plant, with the id as a bare JSON integer, digit for digit. `JSON.stringify` escapes lone
 * surrogates, which UTF-8 cannot encode, and refuses a bigint.
 *
 * @param plant - A plant that has the contract's fields alone.
 */
export function encodeNewPlant(plant: ValidNewPlant): string {
  if (typeof plant.id !== "bigint") return JSON.stringify(plant);
  const present = NEW_PLANT_NAMES.filter((name) => plant[name] !== undefined);
  return `{${present.map((name) => `"${name}":${encodeField(plant[name])}`).join(",")}}`;
}

function encodeField(value: string | number | bigint | undefined): string {
  return typeof value === "bigint" ? `${value}` : JSON.stringify(value);
}

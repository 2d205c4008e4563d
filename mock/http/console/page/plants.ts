import { NEW_PLANT_FIELDS, NEW_PLANT_NAMES, type NewPlant } from "../../../../src/contract/plant.ts";
import type { Plant, State } from "./api.ts";
import { byId, h, update } from "./dom.ts";

type FieldName = keyof NewPlant;

/** What an input for a new plant contains at the start. */
const EXAMPLE: { readonly [Name in FieldName]?: string } = { id: "1", name: "Monstera deliciosa" };

/** A plant on one line, e.g. `Monstera deliciosa (7)`. */
export function plantWords({ id, name }: Plant): string {
  return `${name} (${id})`;
}

/** The values of a plant that {@link plantWords} omits. */
function otherValues(plant: Plant): string[] {
  const { id: _id, name: _name, ...others } = plant;
  return Object.values(others).filter((value) => value !== undefined);
}

/** An input for each field of a plant to create, with an example. */
export function createInputs(prefix: string): HTMLElement[] {
  return NEW_PLANT_NAMES.flatMap((name) => {
    const { type, isRequired } = NEW_PLANT_FIELDS[name];
    const isInteger = type === "int64";
    const hint = isInteger ? [h("p", { class: "soft" }, "An integer of up to 64 bits, sent exactly as typed.")] : [];
    const input = h("input", {
      ...attributesOf(prefix, name),
      value: EXAMPLE[name] ?? "",
      required: isInteger && isRequired,
    });
    const note = isRequired ? [] : [" ", h("span", { class: "soft" }, "(optional)")];
    return [h("label", { for: `${prefix}-${name}` }, titleOf(name), ...note), input, ...hint];
  });
}

/** An input for each field that the plant of a request may have. */
export function matchInputs(prefix: string): HTMLElement[] {
  return NEW_PLANT_NAMES.flatMap((name) => [
    h("label", { for: `${prefix}-${name}` }, titleOf(name)),
    h("input", attributesOf(prefix, name)),
  ]);
}

function attributesOf(prefix: string, name: FieldName): Record<string, string> {
  const mode = NEW_PLANT_FIELDS[name].type === "int64" ? { inputmode: "numeric" } : {};
  return { id: `${prefix}-${name}`, autocomplete: "off", ...mode };
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * The fields as the members of a JSON object. An integer is written exactly as typed, because a number could round it.
 *
 * @param isKept - Whether a field without a value is a member, too.
 */
export function fieldsAsJson(prefix: string, isKept: (name: FieldName) => boolean): string {
  const members = NEW_PLANT_NAMES.flatMap((name) => {
    const value = byId<HTMLInputElement>(`${prefix}-${name}`).value;
    if (value === "" && !isKept(name)) return [];
    const isNumber = NEW_PLANT_FIELDS[name].type === "int64" && NUMBER.test(value.trim());
    return `"${name}":${isNumber ? value.trim() : JSON.stringify(value)}`;
  });
  return `{${members.join()}}`;
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Whether a plant to create must have a field. */
export const isRequiredField = (name: FieldName): boolean => NEW_PLANT_FIELDS[name].isRequired;

/** Shows the number of plants, and the newest ones. */
export function showPlants({ plants, plantCount }: State): void {
  byId("plant-count").textContent = plantCount.toLocaleString("en");
  byId("no-plants").hidden = plantCount > 0;
  byId("plant-table").hidden = plantCount === 0;
  const rows = plants.map((plant) => {
    const others = otherValues(plant).map((value) => h("span", { class: "soft" }, value));
    return h("tr", {}, h("td", { class: "mono" }, `${plant.id}`), h("td", {}, plant.name, ...others));
  });
  update(byId("plant-rows"), rows);
}

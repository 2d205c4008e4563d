import type { State } from "./api.ts";
import { byId, h, update } from "./dom.ts";
import { otherValues } from "./plant-fields.ts";

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

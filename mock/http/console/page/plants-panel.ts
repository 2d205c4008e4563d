import { call, type Plant } from "./api.ts";
import { attempt, byId, h } from "./dom.ts";

const SHOWN = 50;
let shownSize = -1;
let isBusy = false;

/** Shows the number of plants, and the newest ones. */
export function showPlants(size: number): void {
  byId("plant-count").textContent = size.toLocaleString("en");
  if (size === shownSize || isBusy) return;
  isBusy = true;
  attempt(async () => {
    try {
      const { plants } = await call<{ plants: Plant[] }>("GET", `/plants?last=${SHOWN}`);
      const rows = plants.reverse().map(({ id, name, tag = "" }) => {
        const about = tag === "" ? [name] : [name, h("span", { class: "soft" }, tag)];
        return h("tr", {}, h("td", { class: "mono" }, `${id}`), h("td", {}, ...about));
      });
      byId("plant-rows").replaceChildren(...rows);
      byId("no-plants").hidden = rows.length > 0;
      byId("plant-table").hidden = rows.length === 0;
      shownSize = size;
    } finally {
      isBusy = false;
    }
  });
}

/** Makes the next call of {@link showPlants} load the plants again, e.g. for another session. */
export function forgetPlants(): void {
  shownSize = -1;
}

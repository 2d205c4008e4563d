import { call, type Plant } from "./api.ts";
import { attempt, byId, h } from "./dom.ts";

const SHOWN = 50;
let askedSize = -1;
/** The numbers of the latest call, and of the one that the table shows: the results of earlier ones are out of date. */
let asked = 0;
let drawn = 0;

/** Shows the number of plants, and the newest ones. */
export function showPlants(size: number): void {
  byId("plant-count").textContent = size.toLocaleString("en");
  if (size === askedSize) return;
  askedSize = size;
  const number = ++asked;
  attempt(async () => {
    const { plants } = await call<{ plants: Plant[] }>("GET", `/plants?last=${SHOWN}`);
    if (number <= drawn) return;
    drawn = number;
    const rows = plants.reverse().map(({ id, name, tag = "" }) => {
      const about = tag === "" ? [name] : [name, h("span", { class: "soft" }, tag)];
      return h("tr", {}, h("td", { class: "mono" }, `${id}`), h("td", {}, ...about));
    });
    byId("plant-rows").replaceChildren(...rows);
    byId("no-plants").hidden = rows.length > 0;
    byId("plant-table").hidden = rows.length === 0;
  });
}

/** Makes the next call of {@link showPlants} load the plants again, e.g. for another session. */
export function forgetPlants(): void {
  askedSize = -1;
  drawn = asked;
}

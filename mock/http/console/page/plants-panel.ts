import { call, type Plant } from "./api.ts";
import { attempt, byId, h } from "./dom.ts";

const SHOWN = 50;
/** The number of plants in the store, and that which the table shows. */
let size = 0;
let shownSize = -1;
/** Increases when the plants are forgotten: the result of an earlier call is out of date. */
let generation = 0;
/** The generation of the call that is under way. */
let loading = -1;

/** Shows the number of plants, and the newest ones. */
export function showPlants(next: number): void {
  size = next;
  byId("plant-count").textContent = size.toLocaleString("en");
  if (size !== shownSize && loading !== generation) attempt(load);
}

/** Loads the newest plants, one call at a time, until the table shows all that the store had meanwhile. */
async function load(): Promise<void> {
  const started = generation;
  loading = started;
  try {
    while (shownSize !== size) {
      const asked = size;
      const { plants } = await call<{ plants: Plant[] }>("GET", `/plants?last=${SHOWN}`);
      if (started !== generation) return;
      drawRows(plants.reverse());
      shownSize = asked;
    }
  } finally {
    if (loading === started) loading = -1;
  }
}

function drawRows(plants: readonly Plant[]): void {
  const rows = plants.map(({ id, name, tag = "" }) => {
    const about = tag === "" ? [name] : [name, h("span", { class: "soft" }, tag)];
    return h("tr", {}, h("td", { class: "mono" }, `${id}`), h("td", {}, ...about));
  });
  byId("plant-rows").replaceChildren(...rows);
  byId("no-plants").hidden = rows.length > 0;
  byId("plant-table").hidden = rows.length === 0;
}

/** Makes the next call of {@link showPlants} load the plants again, e.g. for another session. */
export function forgetPlants(): void {
  shownSize = -1;
  generation++;
}

/** Loads the plants again: after a reset there may be others, even if their number is the same. */
export function reloadPlants(): void {
  forgetPlants();
  showPlants(size);
}

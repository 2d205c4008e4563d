import { type State, send } from "./api.ts";
import { button, byId, h, onClick, update } from "./dom.ts";
import { refresh } from "./poll.ts";

const chooser = byId<HTMLSelectElement>("fault");
const body = byId<HTMLTextAreaElement>("fault-body");

chooser.addEventListener("change", () => {
  const { dataset, value } = chooser.selectedOptions[0] as HTMLOptionElement;
  byId("fault-form").hidden = value === "";
  byId("fault-about").textContent = `${value}: ${dataset.about}`;
  body.value = dataset.body ?? "";
  byId("fault-form").scrollIntoView({ block: "nearest" });
});

onClick("queue", async () => {
  const text = await send("POST", "/faults", body.value);
  refresh();
  return `Queued as fault #${JSON.parse(text).number}.`;
});
onClick("hold", () => change("POST", "/gates"));

/** Shows the injected faults, each with a button that removes it. */
export function showFaults({ faults }: State): void {
  byId("fault-count").textContent = `${faults.length}`;
  update(
    byId("faults"),
    faults.map(({ number, fault: { type, ...fields }, times, used, probability, when }) => {
      const title = chooser.querySelector(`[value="${type}"]`)?.textContent ?? type;
      const values = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
      const every = probability === undefined ? "every request" : `each request with probability ${probability}`;
      const count = times === "unlimited" ? every : `${times - used} of ${times} left`;
      const match = when === "function" ? ["when a function matches"] : when ? [`when ${JSON.stringify(when)}`] : [];
      const about = h("span", { class: "soft line" }, [...values, count, ...match].join(" · "));
      const remove = button("Remove", { "aria-label": `Remove fault #${number}` }, () =>
        change("DELETE", `/faults/${number}`),
      );
      return h("li", { "data-key": `${number}` }, h("span", {}, `${title} #${number}`, about), remove);
    }),
  );
}

/** Shows the closed gates, each with a button that releases it. */
export function showGates({ gates, requests }: State): void {
  byId("held-count").textContent = `${requests.filter(({ isHeld }) => isHeld).length}`;
  update(
    byId("gates"),
    gates.map(({ name, held }) => {
      const requests = held === 1 ? "1 request" : `${held} requests`;
      const release = button("Release", { "aria-label": `Release ${requests}` }, () =>
        change("DELETE", `/gates/${name}`),
      );
      return h(
        "li",
        { "data-key": name },
        h("span", {}, held === 0 ? "Waits for requests" : `Holds ${requests}`),
        release,
      );
    }),
  );
}

/** Makes a call that changes a queue, and then lets the page show the change. */
async function change(method: string, path: string): Promise<string> {
  await send(method, path);
  refresh();
  return "";
}

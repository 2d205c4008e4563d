import type { Delivered } from "../../../service/faults/fault-definition.ts";
import { call, type Fault, send } from "./api.ts";
import { attempt, button, byId, h, say, update } from "./dom.ts";
import type { Overview } from "./feed.ts";
import { deliveries } from "./status.ts";

interface Field {
  readonly const?: string;
  readonly type?: string;
  readonly title?: string;
  readonly default?: unknown;
}

interface FaultSchema {
  readonly description: string;
  readonly "x-delivers": Delivered;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Field>>;
}

let chosen: FaultSchema | undefined;

/** Shows a button for each type of fault in the OpenAPI document of the control API. */
export async function listFaults(): Promise<void> {
  if (deliveries.size > 0) return;
  const { components } = await call<{ components: { schemas: { Fault: { oneOf: FaultSchema[] } } } }>(
    "GET",
    "/openapi.json",
  );
  for (const schema of components.schemas.Fault.oneOf) deliveries.set(typeOf(schema), schema["x-delivers"]);
  const buttons = components.schemas.Fault.oneOf.map((schema) => {
    const type = typeOf(schema);
    const element = button(type, { "aria-pressed": "false", title: schema.description.replaceAll("`", "") }, () =>
      choose(schema),
    );
    element.dataset.fault = type;
    return element;
  });
  byId("fault-buttons").replaceChildren(...buttons);
}

const typeOf = ({ properties }: FaultSchema) => properties.type?.const as string;

function choose(schema: FaultSchema): void {
  chosen = chosen === schema ? undefined : schema;
  for (const element of byId("fault-buttons").querySelectorAll("button")) {
    element.setAttribute("aria-pressed", `${chosen !== undefined && element.dataset.fault === typeOf(chosen)}`);
  }
  byId("inject").hidden = chosen === undefined;
  if (chosen === undefined) return;
  byId("fault-description").textContent = `${typeOf(chosen)}: ${chosen.description.replaceAll("`", "")}`;
  byId("fault-fields").replaceChildren(
    ...Object.entries(chosen.properties).flatMap(([name, field]) => inputFor(name, field, schema.required)),
  );
}

function inputFor(
  name: string,
  { title, type, default: value }: Field,
  required: FaultSchema["required"],
): HTMLElement[] {
  if (title === undefined) return [];
  const id = `fault-${name}`;
  const isNumber = type === "integer";
  const attributes = { id, name, value: `${value}`, type: isNumber ? "number" : "text", autocomplete: "off" };
  // A required text may be empty.
  return [h("label", { for: id }, title), h("input", { ...attributes, required: isNumber && required.includes(name) })];
}

/** Injects the chosen fault with the fields of the form. */
export async function inject(): Promise<void> {
  if (chosen === undefined) return;
  const fault: Record<string, unknown> = { type: typeOf(chosen) };
  for (const { name, type, value } of byId("fault-fields").querySelectorAll("input")) {
    // Left out, because a fault with status 204 must not have a body, not even an empty one.
    if (value === "" && !chosen.required.includes(name)) continue;
    fault[name] = type === "number" ? Number(value) : value;
  }
  const fields = (["id", "name", "tag"] as const).map((name) => {
    const value = byId<HTMLInputElement>(`when-${name}`).value.trim();
    return value === "" ? undefined : `"${name}":${name === "id" ? value : JSON.stringify(value)}`;
  });
  const when = fields.filter((field) => field !== undefined).join(",");
  const times = byId<HTMLInputElement>("times").value;
  // Not JSON.stringify for the id, which a number could round.
  const text = `{"fault":${JSON.stringify(fault)},"times":${times === "" ? '"unlimited"' : Number(times)}${when === "" ? "" : `,"when":{${when}}`}}`;
  await send("POST", "/faults", { body: text });
  say(`Fault ${fault.type} queued.`);
}

/** Shows the queued faults, each with a button that removes it. */
export function showFaults({ faults, faultCount }: Overview): void {
  byId("fault-count").textContent = `${faultCount}`;
  update(byId("queued-faults"), [
    ...faults.map(({ name, fault, times, used, when }) => {
      const count = times === "unlimited" ? "every request" : `${times - used} of ${times} left`;
      const remove = button("Remove", { "aria-label": `Remove ${fault.type}` }, () => {
        attempt(() => call("DELETE", `/faults/${name}`));
      });
      const text = [describe(fault), count, matchOf(when)].filter((part) => part !== "").join(" · ");
      return h("li", { "data-key": name }, h("span", {}, text), remove);
    }),
    ...more(faultCount - faults.length),
  ]);
}

/** The last entry of a list of which the mock sends only the beginning. */
function more(count: number): HTMLElement[] {
  return count === 0 ? [] : [h("li", { class: "soft" }, `and ${count} more`)];
}

function describe({ type, ...fields }: Fault): string {
  const values = Object.values(fields).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return values.length === 0 ? type : `${type} (${values.join(", ")})`;
}

function matchOf(when: Overview["faults"][number]["when"]): string {
  if (when === undefined) return "";
  if (when === "function") return "when a function of the test matches";
  return `when ${Object.entries(when)
    .map(([name, value]) => `${name} is ${value}`)
    .join(" and ")}`;
}

/** Shows the closed gates, each with a button that releases it. */
export function showGates({ gates, gateCount, heldCount: total }: Overview): void {
  byId("held-count").textContent = `${total}`;
  update(byId("gates"), [
    ...gates.map(({ name, held, heldCount }) => {
      const release = button(
        "Release",
        { "aria-label": `Release ${heldCount === 1 ? "1 request" : `${heldCount} requests`}` },
        () => {
          attempt(() => call("DELETE", `/gates/${name}`));
        },
      );
      const requests = held.map(({ method, path, id }) =>
        h("li", {}, `${method} ${path}${id === undefined ? "" : `, id ${id}`}`),
      );
      const text = heldCount === 0 ? "waits for requests" : `holds ${heldCount}`;
      return h(
        "li",
        { "data-key": name },
        h("span", {}, `Gate ${text}`),
        release,
        ...(requests.length === 0 ? [] : [h("ul", { class: "soft" }, ...requests, ...more(heldCount - held.length))]),
      );
    }),
    ...more(gateCount - gates.length),
  ]);
}

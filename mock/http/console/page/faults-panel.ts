import { call, type State, send } from "./api.ts";
import { attempt, button, byId, h, say, update } from "./dom.ts";
import { fieldsAsJson, matchInputs } from "./plants.ts";
import { refresh } from "./poll.ts";

interface Field {
  readonly const?: string;
  readonly type?: string;
  readonly title?: string;
  readonly default?: unknown;
}

/** A type of fault, as the OpenAPI document of the control API describes it. */
interface FaultSchema {
  readonly title: string;
  readonly description: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Field>>;
}

let schemas: readonly FaultSchema[] = [];
const chooser = byId<HTMLSelectElement>("fault");

byId("when-fields").replaceChildren(...matchInputs("when"));
chooser.addEventListener("change", () => showForm(chosen()));

/** Shows every type of fault. */
export async function listFaults(): Promise<void> {
  if (schemas.length > 0) return;
  const { components } = await call<{ components: { schemas: { Fault: { oneOf: FaultSchema[] } } } }>(
    "GET",
    "/openapi.json",
  );
  schemas = components.schemas.Fault.oneOf;
  chooser.append(...schemas.map((schema) => h("option", { value: typeOf(schema) }, capitalized(schema.title))));
}

const typeOf = ({ properties }: FaultSchema) => properties.type?.const as string;

function chosen(): FaultSchema | undefined {
  return schemas.find((schema) => typeOf(schema) === chooser.value);
}

/** Opens the form of a fault, and brings it into view. */
function showForm(schema: FaultSchema | undefined): void {
  const form = byId("fault-form");
  form.hidden = schema === undefined;
  if (schema === undefined) return;
  byId("fault-description").textContent = `${typeOf(schema)}: ${schema.description.replaceAll("`", "")}`;
  byId("fault-fields").replaceChildren(
    ...Object.entries(schema.properties).flatMap(([name, field]) => inputFor(name, field, schema.required)),
  );
  form.scrollIntoView({ block: "nearest" });
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
  const schema = chosen();
  if (schema === undefined) return;
  const fault: Record<string, unknown> = { type: typeOf(schema) };
  for (const { name, type, value } of byId("fault-fields").querySelectorAll("input")) {
    // Left out, because a fault with status 204 must not have a body, not even an empty one.
    if (value === "" && !schema.required.includes(name)) continue;
    fault[name] = type === "number" ? Number(value) : value;
  }
  const when = fieldsAsJson("when", () => false);
  const times = byId<HTMLInputElement>("times").value;
  const members = [
    `"fault":${JSON.stringify(fault)}`,
    `"times":${times === "" ? '"unlimited"' : Number(times)}`,
    ...(when === "{}" ? [] : [`"when":${when}`]),
  ];
  await send("POST", "/faults", { body: `{${members.join()}}` });
  say(`Fault ${fault.type} queued.`);
}

/** Shows the queued faults, each with a button that removes it. */
export function showFaults({ faults, faultCount }: State): void {
  byId("fault-count").textContent = `${faultCount}`;
  update(byId("queued-faults"), [
    ...faults.map(({ number, name, fault, times, used, when }) => {
      const schema = schemas.find((candidate) => typeOf(candidate) === fault.type);
      const count = times === "unlimited" ? "every request" : `${times - used} of ${times} left`;
      const remove = button("Remove", { "aria-label": `Remove ${fault.type}` }, () =>
        change("DELETE", `/faults/${name}`),
      );
      const about = [...valuesOf(fault, schema), count, matchOf(when)].filter((part) => part !== "").join(" · ");
      const title = `${capitalized(schema?.title ?? fault.type)} #${number}`;
      return h("li", { "data-key": name }, h("span", {}, title, h("span", { class: "soft line" }, about)), remove);
    }),
    ...more(faultCount - faults.length),
  ]);
}

/** Makes a call that changes a queue, and then lets the page show the change. */
function change(method: string, path: string): void {
  attempt(async () => {
    await call(method, path);
    refresh();
  });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The last entry of a list of which the mock sends only the beginning. */
function more(count: number): HTMLElement[] {
  return count === 0 ? [] : [h("li", { class: "soft" }, `and ${count} more`)];
}

/** The fields of a fault with their labels, e.g. `Retry after, in seconds: 2`. */
function valuesOf({ type: _type, ...fields }: State["faults"][number]["fault"], schema?: FaultSchema): string[] {
  return Object.entries(fields).map(([name, value]) => {
    const label = schema?.properties[name]?.title ?? name;
    return `${label}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
}

function matchOf(when: State["faults"][number]["when"]): string {
  if (when === undefined) return "";
  if (when === "function") return "when a function of the test matches";
  return `when ${Object.entries(when)
    .map(([name, value]) => `${name} is ${value}`)
    .join(" and ")}`;
}

/** Shows the closed gates, each with a button that releases it. */
export function showGates({ gates, gateCount, heldCount }: State): void {
  byId("held-count").textContent = `${heldCount}`;
  update(byId("gates"), [
    ...gates.map(({ name, held }) => {
      const label = `Release ${held === 1 ? "1 request" : `${held} requests`}`;
      const release = button("Release", { "aria-label": label }, () => change("DELETE", `/gates/${name}`));
      const text = held === 0 ? "waits for requests" : `holds ${held}`;
      return h("li", { "data-key": name }, h("span", {}, `Gate ${text}`), release);
    }),
    ...more(gateCount - gates.length),
  ]);
}

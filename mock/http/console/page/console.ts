/**
 * The behaviour of the console. All that it shows is set as text, never as HTML: names and bodies come from outside.
 * Ids that a JavaScript number would round are kept as text.
 */
import type { RecordedRequest } from "../../../service/mock-plant-store.ts";

type Shown = Omit<RecordedRequest, "plant"> & { readonly plant?: Plant };
interface Plant {
  readonly id: number | string;
  readonly name: string;
  readonly tag?: string;
}
interface Session {
  readonly session: string;
  readonly baseUrl: string;
}

const $ = <Element extends HTMLElement = HTMLInputElement>(id: string) => document.getElementById(id) as Element;
const rowsShown = 100;
let controlToken = "";
let basePath = "";

const parse = (text: string) =>
  JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token)),
  );

async function call(method: string, path: string, body: string | null = null) {
  const headers: Record<string, string> = controlToken === "" ? {} : { Authorization: `Bearer ${controlToken}` };
  const response = await fetch(`/_mock${path}`, { method, headers, body });
  const text = await response.text();
  $("unlock").hidden = response.status !== 401;
  if (!response.ok) throw new Error(parse(text).message);
  return text === "" ? undefined : parse(text);
}

function say(message: string, hasFailed = false) {
  if ($("message").textContent !== message) $("message").textContent = message;
  $("message").className = hasFailed ? "failed" : "";
}

async function attempt(work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    say(error instanceof TypeError ? "The mock does not answer." : (error as Error).message, true);
  }
}

const query = () => `session=${encodeURIComponent($("session").value)}`;

function cell(row: HTMLElement, label: string, text: string, className = "") {
  const td = row.appendChild(document.createElement("td"));
  td.dataset.label = label;
  td.className = className + (text === "" ? " blank" : "");
  td.textContent = text;
  return td;
}

function badge(td: HTMLElement, text: string, className: string) {
  const span = document.createElement("span");
  span.className = `badge ${className}`;
  span.textContent = text;
  td.replaceChildren(span);
}

const undelivered: Record<string, string> = { lostResponse: "lost", truncatedBody: "cut off", stalledBody: "stalled" };

function statusOf({ status, durationMs, fault }: Shown): [string, string] {
  if (durationMs === undefined) return ["waiting", "open"];
  if (status === undefined) return ["no reply", "failed"];
  if (fault !== undefined && fault.type in undelivered) return [`${status} ${undelivered[fault.type]}`, "failed"];
  return [String(status), status < 300 ? "ok" : status < 500 ? "refused" : "failed"];
}

function requestRow(request: Shown) {
  const row = document.createElement("tr");
  const { plant, fault, reply, durationMs } = request;
  cell(row, "Time", new Date(request.at).toLocaleTimeString(), "still number");
  const details = document.createElement("details");
  const summary = details.appendChild(document.createElement("summary"));
  summary.textContent = `${request.method} ${request.path.slice(0, 200)}`;
  const sent = request.bodyText === "" ? "(no body)" : request.bodyText;
  const got =
    reply === undefined ? "(no reply)" : typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
  details.appendChild(document.createElement("pre")).textContent = `sent  ${sent}\nreply ${got ?? "(no body)"}`;
  cell(row, "Request", " ", "request").replaceChildren(details);
  cell(row, "Plant", plant === undefined ? "" : `${plant.id} ${plant.name}`, "cut");
  cell(row, "Token", request.token ?? "", "still mono");
  badge(cell(row, "Status", " ", "still"), ...statusOf(request));
  const provenance = cell(row, "Provenance", request.provenance ?? "", "still");
  if (request.assumption !== undefined) {
    const assumption = provenance.appendChild(document.createElement("span"));
    assumption.className = "hint";
    assumption.textContent = request.assumption;
  }
  cell(row, "Fault", fault === undefined ? "" : fault.type, "still");
  cell(row, "Took", durationMs === undefined ? "" : `${durationMs.toFixed(1)} ms`, "still number");
  return row;
}

function plantRow(plant: Plant) {
  const row = document.createElement("tr");
  cell(row, "Id", String(plant.id), "number mono still");
  cell(row, "Name", plant.name, "cut");
  cell(row, "Tag", plant.tag ?? "", "cut");
  return row;
}

const rowsByKey = new Map<string, Map<string, HTMLTableRowElement>>();

/** Shows a list, newest first. What did not change stays as it is: its details may be open, or have the focus. */
function list<Item>(id: string, items: Item[], total: number, make: (item: Item) => HTMLTableRowElement) {
  const tbody = $<HTMLTableSectionElement>(id);
  const known = rowsByKey.get(id);
  const kept = new Map<string, HTMLTableRowElement>();
  const rows = items
    .map((item, index) => {
      const key = total - items.length + index + JSON.stringify(item);
      const row = known?.get(key) ?? make(item);
      kept.set(key, row);
      return row;
    })
    .reverse();
  rowsByKey.set(id, kept);
  const isSame = rows.length === tbody.rows.length && rows.every((row, index) => row === tbody.rows[index]);
  if (isSame) return;
  const focused = document.activeElement;
  tbody.replaceChildren(...rows);
  if (focused instanceof HTMLElement && tbody.contains(focused)) focused.focus({ preventScroll: true });
}

async function listSessions(sessions: Session[]) {
  const chosen = $("session").value;
  const names = sessions.map(({ session }) => session);
  if (names.join() !== [...$<HTMLSelectElement>("session").options].map(({ value }) => value).join()) {
    $("session").replaceChildren(...names.map((name) => new Option(name)));
    $("session").value = names.includes(chosen) ? chosen : "root";
  }
  if ($("token").dataset.session !== $("session").value) {
    $("token").dataset.session = $("session").value;
    $("token").value = $("session").value === "root" ? (await call("GET", "/token")).token : "";
  }
}

async function refresh() {
  const { sessions } = await call("GET", "/sessions");
  const { baseUrl } = sessions[0];
  $("address").textContent = baseUrl;
  basePath = new URL(baseUrl).pathname.replace(/\/$/, "");
  await listSessions(sessions);
  const [{ count, requests }, { size, plants }] = await Promise.all([
    call("GET", `/requests?last=${rowsShown}&${query()}`),
    call("GET", `/plants?last=${rowsShown}&${query()}`),
  ]);
  list<Shown>("request-rows", requests, count, requestRow);
  list<Plant>("plant-rows", plants, size, plantRow);
  $("request-count").textContent = String(count);
  $("plant-count").textContent = String(size);
  $("no-requests").hidden = requests.length > 0;
  $("no-plants").hidden = plants.length > 0;
  if ($("message").textContent === "The mock does not answer.") say("");
}

function plantBody() {
  const id = $("plant-id").value.trim();
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(id);
  const fields = [`"id":${isNumber ? id : JSON.stringify(id)}`, `"name":${JSON.stringify($("plant-name").value)}`];
  if ($("plant-tag").value !== "") fields.push(`"tag":${JSON.stringify($("plant-tag").value)}`);
  return `{${fields.join()}}`;
}

$("create").addEventListener("submit", async (event) => {
  event.preventDefault();
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if ($("token").value !== "") headers.Authorization = `Bearer ${$("token").value}`;
  $("answer").textContent = "…";
  try {
    const response = await fetch(`${basePath}/plants`, { method: "POST", headers, body: plantBody() });
    $("answer").textContent = `${response.status} ${await response.text()}`;
  } catch {
    $("answer").textContent = "The connection failed.";
  }
  attempt(refresh);
});

interface FaultSchema {
  readonly description: string;
  readonly properties: Readonly<Record<string, { const?: string; type?: string; title?: string; default?: unknown }>>;
}

const faultSchemas = new Map<string, FaultSchema>();

/** The faults and their fields are those of the control API's own document. */
async function listFaults() {
  const { components } = await call("GET", "/openapi.json");
  for (const schema of components.schemas.Fault.oneOf as FaultSchema[]) {
    const type = schema.properties.type?.const as string;
    faultSchemas.set(type, schema);
    $<HTMLSelectElement>("fault").add(new Option(`${type}: ${schema.description}`, type));
  }
  showFaultFields();
}

function showFaultFields() {
  const fields = Object.entries(faultSchemas.get($("fault").value)?.properties ?? {});
  $("fault-fields").replaceChildren(
    ...fields.flatMap(([name, { type, title, default: value }]) => {
      if (title === undefined) return [];
      const label = document.createElement("label");
      label.htmlFor = `fault-${name}`;
      label.textContent = title;
      const input = Object.assign(document.createElement("input"), {
        id: label.htmlFor,
        name,
        type: type === "integer" ? "number" : "text",
        value: `${value}`,
        autocomplete: "off",
      });
      return [label, input];
    }),
  );
}

$("fault").addEventListener("change", showFaultFields);
$("inject").addEventListener("submit", (event) => {
  event.preventDefault();
  const fault: Record<string, unknown> = { type: $("fault").value };
  for (const { name, type, value } of $("fault-fields").querySelectorAll("input"))
    fault[name] = type === "number" ? Number(value) : value;
  attempt(async () => {
    await call("POST", `/faults?${query()}`, JSON.stringify({ fault, times: Number($("times").value) }));
    say(`${fault.type} waits for its request.`);
  });
});
$("reset").addEventListener("click", () =>
  attempt(async () => {
    await call("POST", `/reset?${query()}`);
    say("The session is as at the start.");
    await refresh();
  }),
);
$("session").addEventListener("change", () => attempt(refresh));
$("unlock").addEventListener("submit", (event) => {
  event.preventDefault();
  controlToken = $("control-token").value;
  attempt(async () => {
    await refresh();
    say("");
  });
});

async function poll() {
  if (!document.hidden && ($("unlock").hidden || controlToken !== "")) await attempt(refresh);
  setTimeout(poll, 1000);
}
attempt(listFaults);
poll();

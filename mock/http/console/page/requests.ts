import { type Details, parse, type State, type Summary, send, session } from "./api.ts";
import { byId, h, update } from "./dom.ts";
import { outcomeOf, timeOf } from "./text.ts";

let all: readonly Summary[] = [];
/** The requests whose details are open, by their key: each as it was in the list, and the elements that show it. */
const open = new Map<string, { summary: string; content: readonly Node[] }>();

const keyOf = ({ number }: Summary) => `${session()}-${number}`;

byId("requests").addEventListener(
  "toggle",
  ({ target }) => {
    const { open: isOpen, dataset } = target as HTMLDetailsElement;
    const summary = all.find((candidate) => keyOf(candidate) === dataset.key);
    if (!isOpen) open.delete(dataset.key ?? "");
    else if (summary !== undefined) load(summary);
  },
  true, // The event does not bubble.
);

/** Shows the requests of a session, newest first. */
export function showRequests({ requests }: State): void {
  all = requests;
  const summaries = new Map(all.map((summary) => [keyOf(summary), summary]));
  for (const [key, shown] of open) {
    const summary = summaries.get(key);
    if (summary === undefined) open.delete(key);
    else if (JSON.stringify(summary) !== shown.summary) load(summary);
  }
  draw();
}

/** Shows everything that the mock keeps of a request. */
async function load(summary: Summary): Promise<void> {
  const entry = { summary: JSON.stringify(summary), content: open.get(keyOf(summary))?.content ?? [] };
  open.set(keyOf(summary), entry);
  entry.content = await send("GET", `/requests/${summary.number}`).then(
    (text) => contentOf(parse(text) as Details, summary),
    ({ message }: Error) => [h("p", { class: "failed" }, message)],
  );
  draw();
}

function draw(): void {
  byId("request-count").textContent = `${all.length}`;
  byId("welcome").hidden = all.length > 0;
  update(byId("requests"), all.map(row));
}

function row(summary: Summary): HTMLElement {
  const { method, path, plant, at, fault, assumption, token, reason } = summary;
  const [outcome, kind] = outcomeOf(summary);
  const about = [fault ?? assumption, plant && `${method} ${path}`, token].filter((part) => part !== undefined);
  return h(
    "details",
    { "data-key": keyOf(summary), open: open.has(keyOf(summary)) },
    h(
      "summary",
      {},
      h("span", { class: `badge ${kind}` }, outcome),
      h("strong", {}, plant === undefined ? `${method} ${path}` : `${plant.name} (${plant.id})`),
      h("span", { class: "soft" }, timeOf(at)),
      h("span", { class: "soft about" }, about.join(" · ")),
      ...(reason === undefined ? [] : [h("span", { class: "about" }, reason)]),
    ),
    ...(open.get(keyOf(summary))?.content ?? []),
  );
}

function contentOf(details: Details, summary: Summary): Node[] {
  const { headers, bodyText, reply, why } = details;
  const title = summary.loses === undefined ? "Response" : "Response (not delivered completely)";
  return [
    h("p", { class: "why" }, why),
    h("p", { class: "soft" }, factsOf(details)),
    ...message("Request", headers, bodyText),
    ...(reply === undefined ? [h("h3", {}, "No response")] : message(title, reply.headers ?? {}, reply.body)),
  ];
}

function factsOf({ number, durationMs, token, provenance }: Details): string {
  const took = durationMs === undefined ? undefined : `took ${durationMs.toFixed(1)} ms`;
  return [`Request ${number}`, took, token, provenance].filter((fact) => fact !== undefined).join(" · ");
}

function message(title: string, headers: Readonly<Record<string, string>>, body: unknown): HTMLElement[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body, null, 2);
  return [
    h("h3", {}, title),
    h("pre", { tabindex: "0", "aria-label": `${title}: headers and body` }, `${lines.join("\n")}\n\n${text}`.trim()),
  ];
}

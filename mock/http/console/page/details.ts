import { call, type Details, type Summary } from "./api.ts";
import { attempt, button, byId, h, say } from "./dom.ts";
import { plantWords } from "./plant-fields.ts";
import { refresh } from "./poll.ts";
import { outcomeOf, RESENT_NOTE } from "./status.ts";
import { curlOf, pretty, timeOf } from "./text.ts";

let latest = 0;

/** Shows a request, its response, and the reason for the response. */
export function showDetails(selected: Summary | undefined, baseUrl: string): void {
  const request = ++latest;
  byId("details").hidden = selected === undefined;
  if (selected === undefined) return;
  attempt(async () => {
    const details = await call<Details>("GET", `/requests/${selected.number}`, selected.session);
    if (request === latest) draw(details, selected, baseUrl);
  });
}

function draw(details: Details, summary: Summary, baseUrl: string): void {
  const { method, path, headers, bodyText, plant } = details;
  const [outcome, kind] = outcomeOf(summary);
  const title = plant === undefined ? `${method} ${path}` : plantWords(plant);
  byId("details").replaceChildren(
    h("div", { class: "title" }, h("h3", {}, title), h("span", { class: `badge ${kind}` }, outcome)),
    ...(plant === undefined ? [] : [h("p", { class: "soft mono" }, `${method} ${path}`)]),
    h("p", { class: "why" }, details.why),
    ...(summary.delivers === "end" ? [h("p", { class: "note" }, RESENT_NOTE)] : []),
    facts(details, summary),
    actions(details, summary.session, baseUrl),
    ...message("Request", headers, bodyText),
    ...response(details, summary),
  );
}

function actions(details: Details, session: string, baseUrl: string): HTMLElement {
  const copy = button("Copy as curl", {}, () => {
    attempt(async () => {
      if (!details.hasWholeBody) throw new Error("The request cannot be copied: this page lacks bytes of its body.");
      await navigator.clipboard.writeText(curlOf(details, new URL(baseUrl).origin));
      say("Copied. Set TOKEN to a bearer token before you run it.");
    });
  });
  const replay = button("Replay", {}, () => {
    attempt(async () => {
      await call("POST", `/requests/${details.number}/replay`, session);
      say("The mock sent the request again.");
      refresh();
    });
  });
  return h("div", { class: "actions" }, copy, replay, h("a", { href: "#requests" }, "Back to the list"));
}

function response({ reply }: Details, { delivers }: Summary): HTMLElement[] {
  if (reply === undefined) return [h("h4", {}, "Response"), h("p", { class: "soft empty" }, "No response.")];
  const title = delivers === "response" ? "Response" : "Response (not delivered completely)";
  return message(title, reply.headers ?? {}, reply.body);
}

function facts({ number, at, durationMs, token, provenance }: Details, { session, fault }: Summary): HTMLElement {
  const list: [string, string | undefined][] = [
    ["Request", `${number}`],
    ["Arrived", timeOf(at)],
    ["Took", durationMs === undefined ? undefined : `${durationMs.toFixed(1)} ms`],
    ["Session", session],
    ["Token", token],
    ["Fault", fault],
    ["Source", provenance],
  ];
  const known = list.filter((fact): fact is [string, string] => fact[1] !== undefined);
  return h(
    "dl",
    { class: "facts" },
    ...known.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

function message(title: string, headers: Readonly<Record<string, string>>, body: unknown): HTMLElement[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = typeof body === "string" ? pretty(body) : body === undefined ? "" : JSON.stringify(body, null, 2);
  return [
    h("h4", {}, title),
    h("pre", { tabindex: "0", "aria-label": `${title}: body` }, text || "(no body)"),
    h(
      "details",
      {},
      h("summary", {}, lines.length === 1 ? "1 header" : `${lines.length} headers`),
      h("pre", { tabindex: "0", "aria-label": `${title}: headers` }, lines.join("\n") || "(none)"),
    ),
  ];
}

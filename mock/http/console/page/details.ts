import { BODY_TEXT_LIMIT } from "../../../service/request.ts";
import { call, type Details, type Summary } from "./api.ts";
import { attempt, button, byId, h, say } from "./dom.ts";
import { plantWords } from "./plants.ts";
import { curlOf, outcomeOf, RESENT_NOTE, timeOf } from "./text.ts";

let latest = 0;

/** Shows a request, its response, and the reason for the response. */
export function showDetails(selected: Summary | undefined, baseUrl: string): void {
  const request = ++latest;
  byId("details").hidden = selected === undefined;
  if (selected === undefined) return;
  attempt(async () => {
    const details = await call<Details>("GET", `/requests/${selected.number}`);
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
    actions(details, baseUrl),
    ...message("Request", headers, bodyText),
    ...response(details, summary),
  );
}

function actions(details: Details, baseUrl: string): HTMLElement {
  const copy = button("Copy as curl", {}, () => {
    attempt(async () => {
      if (!isWhole(details)) throw new Error("The request cannot be copied: this page lacks bytes of its body.");
      await navigator.clipboard.writeText(curlOf(details, new URL(baseUrl).origin));
      say("Copied. Set TOKEN to a bearer token before you run it.");
    });
  });
  return h("div", { class: "actions" }, copy, h("a", { href: "#requests" }, "Back to the list"));
}

/** Whether the text of the body is all that was sent: the mock keeps only the beginning of a long one. */
function isWhole({ bodyText }: Details): boolean {
  return bodyText.length < BODY_TEXT_LIMIT && !bodyText.includes("\ufffd");
}

function response({ reply }: Details, { delivers }: Summary): HTMLElement[] {
  if (reply === undefined) return [h("h4", {}, "Response"), h("p", { class: "soft empty" }, "No response.")];
  const title = delivers === "response" ? "Response" : "Response (not delivered completely)";
  return message(title, reply.headers ?? {}, reply.body);
}

function facts({ number, at, durationMs, token, provenance }: Details, { fault }: Summary): HTMLElement {
  const list: [string, string | undefined][] = [
    ["Request", `${number}`],
    ["Arrived", timeOf(at)],
    ["Took", durationMs === undefined ? undefined : `${durationMs.toFixed(1)} ms`],
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
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body, null, 2);
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

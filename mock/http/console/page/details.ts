import { BODY_TEXT_LIMIT } from "../../../service/sessions/body-text-limit.ts";
import { call, type Details, type Summary } from "./api.ts";
import { attempt, button, byId, h, say } from "./dom.ts";
import { deliveryOf, outcomeOf, RESENT_NOTE } from "./status.ts";
import { curlOf, pretty, timeOf } from "./text.ts";

let latest = 0;

/** Shows a request, its response, and the reason for the response. */
export function showDetails(selected: Summary | undefined, baseUrl: string): void {
  const request = ++latest;
  byId("details").hidden = selected === undefined;
  byId("no-details").hidden = selected !== undefined;
  if (selected === undefined) return;
  const { number, session } = selected;
  attempt(async () => {
    const details = await call<Details>("GET", `/requests/${number}`, session);
    if (request === latest) draw(details, session, baseUrl);
  });
}

function draw(details: Details, session: string, baseUrl: string): void {
  const { method, path, status, fault, headers, bodyText } = details;
  const [outcome, kind] = outcomeOf({ status, fault, isOver: details.durationMs !== undefined });
  byId("details").replaceChildren(
    h("div", { class: "title" }, h("h3", {}, `${method} ${path}`), h("span", { class: `badge ${kind}` }, outcome)),
    facts(details, session),
    h("p", { class: "why" }, details.why),
    ...(deliveryOf(fault) === "end" ? [h("p", { class: "note" }, RESENT_NOTE)] : []),
    actions(details, session, baseUrl),
    ...message("Request", headers, details.isDropped ? NOT_KEPT : bodyText),
    ...response(details),
  );
}

const NOT_KEPT = "(no longer kept)";

function actions(details: Details, session: string, baseUrl: string): HTMLElement {
  const copy = button("Copy as curl", {}, () => {
    attempt(async () => {
      if (!hasWholeBody(details)) throw new Error("The request cannot be copied: this page lacks bytes of its body.");
      await navigator.clipboard.writeText(curlOf(details, new URL(baseUrl).origin));
      say("Copied. Set TOKEN to a bearer token before you run it.");
    });
  });
  const replay = button("Replay", {}, () => {
    attempt(async () => {
      await call("POST", `/requests/${details.number}/replay`, session);
      say("The mock sent the request again.");
    });
  });
  return h("div", { class: "actions" }, copy, replay, h("a", { href: "#exchanges" }, "Back to the list"));
}

/** Whether the text is the body: not cut, not dropped, and without replacements for bytes that are not UTF-8. */
function hasWholeBody({ bodyText, isDropped }: Details): boolean {
  return !isDropped && bodyText.length < BODY_TEXT_LIMIT && !bodyText.includes("\uFFFD");
}

function response({ fault, reply, isDropped }: Details): HTMLElement[] {
  if (reply === undefined) {
    const reason = isDropped ? NOT_KEPT : "No response.";
    return [h("h4", {}, "Response"), h("p", { class: "soft empty" }, reason)];
  }
  const title = deliveryOf(fault) === "response" ? "Response" : "Response (not delivered completely)";
  return message(title, reply.headers ?? {}, reply.body);
}

function facts({ number, at, durationMs, token, provenance, plant, fault }: Details, session: string): HTMLElement {
  const list: [string, string | undefined][] = [
    ["Request", `${number}`],
    ["Arrived", timeOf(at)],
    ["Took", durationMs === undefined ? undefined : `${durationMs.toFixed(1)} ms`],
    ["Plant", plant === undefined ? undefined : `${plant.id} ${plant.name}`],
    ["Session", session],
    ["Token", token],
    ["Fault", fault?.type],
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

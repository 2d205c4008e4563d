import type { NewPlant, RecordedRequest } from "plant-store-client/mock";
import { element, update } from "./element.ts";
import { store } from "./store.ts";

const LISTED = 10;

/** Shows the newest requests and all plants. */
export function showRecorded(): void {
  const items = [...store.requests].slice(-LISTED).reverse().map(showExchange);
  update("exchanges", items.length === 0 ? hint("None yet.") : element("ol", { reversed: true }, ...items));
  const plants = [...store.plants].reverse().map(showPlant);
  update("plants", plants.length === 0 ? hint("None yet.") : element("ol", { reversed: true }, ...plants));
}

function showExchange(request: RecordedRequest): HTMLElement {
  const { method, path, bodyText, provenance, fault, at } = request;
  const notes = [provenance, fault?.type].filter((note) => note !== undefined);
  const time = new Date(at).toLocaleTimeString("en-GB");
  return element(
    "li",
    {},
    element(
      "p",
      { className: "line" },
      badge(request),
      element("span", {}, `${method} ${path}`),
      element("span", { className: "hint" }, [time, ...notes].join(" · ")),
    ),
    body("sent", bodyText),
    body("received", replyText(request)),
  );
}

function body(label: string, text: string): HTMLElement {
  return element("p", { className: "body" }, element("span", { className: "hint" }, label), element("code", {}, text));
}

function badge({ status, durationMs, fault }: RecordedRequest): HTMLElement {
  const isLost = fault !== undefined && ["lostResponse", "truncatedBody"].includes(fault.type);
  const text = status === undefined ? (durationMs === undefined ? "waiting" : "no response") : `${status}`;
  const kind = status === undefined || isLost ? "failed" : status < 300 ? "created" : "rejected";
  return element("strong", { className: `badge ${kind}` }, isLost ? `${text}, lost` : text);
}

function replyText({ reply }: RecordedRequest): string {
  if (reply === undefined) return "none";
  return typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? "");
}

function showPlant({ id, name, tag }: NewPlant): HTMLElement {
  return element(
    "li",
    { className: "line" },
    element("code", {}, `${id}`),
    name,
    element("span", { className: "hint" }, tag ?? ""),
  );
}

function hint(text: string): HTMLElement {
  return element("p", { className: "hint" }, text);
}

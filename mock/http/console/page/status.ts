import type { Delivered } from "../../../service/faults/fault-definition.ts";
import type { Summary } from "./api.ts";

export const RESENT_NOTE =
  "If a web page sent this request, the list may show it twice: Chromium and Firefox themselves send a request again if a reused connection ends without a response.";

/** The words for a response that did not arrive whole. */
const FAILURES: Readonly<Record<Exclude<Delivered, "response">, string>> = {
  half: "incomplete",
  end: "lost",
  nothing: "no response",
};

/** The outcome of a request in a word or two, and its CSS class. */
export function outcomeOf({
  status,
  isOver,
  delivers,
}: Pick<Summary, "status" | "isOver" | "delivers">): [text: string, kind: string] {
  if (!isOver) return ["waiting", "waiting"];
  if (status === undefined) return ["no response", "failed"];
  if (delivers !== "response") return [FAILURES[delivers], "failed"];
  return [`${status}`, status < 300 ? "ok" : status < 500 ? "refused" : "failed"];
}

/** Whether the status filter includes a request. */
export function matchesStatus(summary: Summary, filter: string): boolean {
  if (filter === "") return true;
  const [outcome] = outcomeOf(summary);
  const isComplete = /^\d/.test(outcome);
  return filter === "none" ? !isComplete : isComplete && outcome.startsWith(filter);
}

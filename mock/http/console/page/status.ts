import type { Delivered } from "../../../service/faults/fault-definition.ts";
import type { Fault, Summary } from "./api.ts";

/** The delivery of each type of fault, read from the OpenAPI document of the control API. */
export const deliveries = new Map<string, Delivered>();

export function deliveryOf(fault: Fault | undefined): Delivered {
  return deliveries.get(fault?.type ?? "") ?? "response";
}

export const RESENT_NOTE =
  "If a web page sent this request, the list may show it twice: Chromium and Firefox themselves send a request again if a reused connection ends without a response.";

/** The outcome of a request in a word or two, and its CSS class. */
export function outcomeOf({
  status,
  isOver,
  fault,
}: Pick<Summary, "status" | "isOver" | "fault">): [text: string, kind: string] {
  if (!isOver) return ["waiting", "waiting"];
  const delivery = deliveryOf(fault);
  if (delivery === "half") return ["incomplete", "failed"];
  if (status === undefined) return ["no response", "failed"];
  if (delivery === "end") return ["lost", "failed"];
  return [`${status}`, status < 300 ? "ok" : status < 500 ? "refused" : "failed"];
}

/** Whether the status filter includes a request. */
export function matchesStatus(summary: Summary, filter: string): boolean {
  if (filter === "") return true;
  const [outcome] = outcomeOf(summary);
  const isComplete = /^\d/.test(outcome);
  return filter === "none" ? !isComplete : isComplete && outcome.startsWith(filter);
}

import type { Summary } from "./api.ts";
import { deliveryOf } from "./delivery.ts";

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

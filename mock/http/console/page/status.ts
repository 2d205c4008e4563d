import type { Summary } from "./api.ts";
import { deliveryOf } from "./delivery.ts";

/** How a request ended, in a word, and the class that gives it its color. */
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

/** Whether a request is of a kind that the filter shows. */
export function matchesStatus(summary: Summary, filter: string): boolean {
  if (filter === "") return true;
  const [, kind] = outcomeOf(summary);
  if (filter === "none") return kind === "waiting" || kind === "failed";
  return kind !== "waiting" && `${summary.status ?? ""}`.startsWith(filter);
}

import type { Summary } from "./api.ts";

/** The outcome of a request in a word or two, and its CSS class. */
export function outcomeOf({ status, durationMs, loses, isHeld }: Summary): [text: string, kind: string] {
  if (durationMs === undefined) return [isHeld ? "held" : "waiting", "soft"];
  if (status === undefined) return ["no response", "failed"];
  if (loses !== undefined) return [loses === "half" ? "incomplete" : "lost", "failed"];
  return [`${status}`, status < 300 ? "ok" : status < 500 ? "refused" : "failed"];
}

/** The local time of day, in 24-hour format. */
export function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB");
}

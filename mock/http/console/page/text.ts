import { INVISIBLE, visible } from "../../visible-text.ts";
import type { Details, Summary } from "./api.ts";

/** The outcome of a request in a word or two, and its CSS class. */
export function outcomeOf({ status, durationMs, loses, isHeld }: Summary): [text: string, kind: string] {
  if (durationMs === undefined) return [isHeld ? "held" : "waiting", "soft"];
  if (status === undefined) return ["no response", "failed"];
  if (loses !== undefined) return [loses === "half" ? "incomplete" : "lost", "failed"];
  return [`${status}`, status < 300 ? "ok" : status < 500 ? "refused" : "failed"];
}

/** The curl command that sends a request. A recorded one has a label for a token: it gets `$TOKEN` in its place. */
export function curlOf(request: Pick<Details, "method" | "path" | "headers" | "bodyText">, base: string): string {
  const { method, path, headers, bodyText } = request;
  const address = new URL(base).origin + path.replace(INVISIBLE, encodeURIComponent);
  // Otherwise curl would send several requests for an address with brackets or braces.
  const parts = [`curl --globoff -X ${method} ${quote(address)}`];
  for (const [name, value] of Object.entries(headers)) {
    if (name === "authorization") parts.push('-H "Authorization: Bearer $TOKEN"');
    else if (!OMITTED.has(name)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  if (bodyText !== "") parts.push(`--data-raw ${quote(bodyText)}`);
  return parts.join(" \\\n  ");
}

/** Headers that curl sets itself. */
const OMITTED = new Set(["host", "content-length", "connection", "accept-encoding", "transfer-encoding"]);

/** A text as one word of a shell. */
function quote(text: string): string {
  return `'${visible(text).replaceAll("'", "'\\''")}'`;
}

/** The local time of day, in 24-hour format. */
export function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB");
}

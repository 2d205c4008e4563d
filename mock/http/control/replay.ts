import type { MockSession } from "../../service/mock-plant-store.ts";
import type { JournalEntry } from "../../service/sessions/journal-entry.ts";
import { ControlError } from "./control-error.ts";

/** Sends a recorded request again. If it had a token, a token of its session replaces it. */
export function replay(session: MockSession, { view }: JournalEntry): void {
  const { method, path, bodyText, isDropped = false } = view;
  if (isDropped || bodyText.length >= KEPT_CHARACTERS) {
    throw new ControlError(409, "the request cannot be sent again: its whole body was not kept");
  }
  const headers = Object.entries(view.headers).filter(([name]) => !NOT_REPEATED.has(name));
  if ("authorization" in view.headers) headers.push(["authorization", `Bearer ${session.token}`]);
  const body = method === "GET" || method === "HEAD" ? null : bodyText;
  const url = new URL(session.baseUrl).origin + path;
  // Not awaited, because the request may be held or hang. The journal records the response.
  session.fetch(url, { method, headers, body, redirect: "manual" }).catch(() => {});
}

const KEPT_CHARACTERS = 16_384;

/** Headers of the connection, and those that are set again. */
const NOT_REPEATED = new Set(["authorization", "connection", "content-length", "expect", "host", "transfer-encoding"]);

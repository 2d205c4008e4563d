import type { MockSession } from "../../service/mock-plant-store.ts";
import { BODY_TEXT_LIMIT, type JournalEntry } from "../../service/sessions/journal-entry.ts";
import { ControlError } from "./control-error.ts";

/**
 * Sends a recorded request again. If it had a token, a token of its session replaces it.
 *
 * @throws {@link ControlError} with status 409 if the journal may not contain its whole body.
 */
export function replay(session: MockSession, { view }: JournalEntry): void {
  const { method, path, bodyText, isDropped = false } = view;
  if (isDropped || bodyText.length >= BODY_TEXT_LIMIT) {
    throw new ControlError(409, "the request cannot be sent again: the mock did not keep its whole body");
  }
  const headers = Object.entries(view.headers).filter(([name]) => !NOT_REPLAYED.has(name));
  if ("authorization" in view.headers) headers.push(["authorization", `Bearer ${session.token}`]);
  const body = method === "GET" || method === "HEAD" ? null : bodyText;
  const url = new URL(session.baseUrl).origin + path;
  // Not awaited, because the request may be held or hang. The journal records the response.
  session.fetch(url, { method, headers, body, redirect: "manual" }).catch(() => {});
}

/** Headers of the connection, and headers that the new request sets itself. */
const NOT_REPLAYED = new Set(["authorization", "connection", "content-length", "expect", "host", "transfer-encoding"]);

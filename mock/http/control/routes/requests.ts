import type { MockSession } from "../../../service/mock-plant-store.ts";
import type { JournalEntry } from "../../../service/sessions/journal-entry.ts";
import type { OpenSession } from "../../../service/sessions/session-registry.ts";
import { ControlError } from "../control-error.ts";
import { type ControlRoute, refusal, SESSION } from "../control-route.ts";
import { count, list, object, schemaRef } from "../json-schema.ts";
import { describeRequest, explainResponse } from "../json-views.ts";
import { PAGE, readPage } from "../paging.ts";

export const requestRoutes = {
  listRequests: {
    method: "GET",
    path: "/requests",
    summary: "Lists the requests of a session, oldest first, with labels in place of tokens.",
    query: { ...SESSION, ...PAGE },
    replies: {
      200: {
        description: "The requests.",
        schema: object({
          count: count("How many arrived, including those that are no longer kept."),
          requests: list(schemaRef("RecordedRequest")),
        }),
      },
    },
    handle: ({ opened, query }) => {
      const { journal } = opened.state;
      const { after, limit } = readPage(query, journal.count);
      return { count: journal.count, requests: journal.page(after, limit).map(describeRequest) };
    },
  },
  getRequest: {
    method: "GET",
    path: "/requests/{number}",
    variable: "The number of the request.",
    summary: "Returns one request, with the reason for its response.",
    query: SESSION,
    replies: {
      200: { description: "The request.", schema: schemaRef("RecordedRequest") },
      404: refusal("The request does not exist, or is no longer kept."),
    },
    handle: ({ opened, name }) => {
      const found = findRequest(opened, name);
      return {
        ...describeRequest(found),
        why: explainResponse(found),
        hasWholeBody: typeof found.body.whole === "string",
      };
    },
  },
  replayRequest: {
    method: "POST",
    path: "/requests/{number}/replay",
    variable: "The number of the request.",
    summary: "Sends a request again. If it had a token, a token of its session replaces it.",
    query: SESSION,
    replies: {
      202: { description: "The request was sent.", schema: object({ sent: { const: true } }) },
      404: refusal("The request does not exist, or is no longer kept."),
      409: refusal("The mock did not keep the whole body of the request, or has no such path or method to send."),
    },
    handle: ({ session, opened, name }) => {
      replay(session, findRequest(opened, name));
      return { sent: true };
    },
  },
  clearRequests: {
    method: "DELETE",
    path: "/requests",
    summary: "Forgets the requests so far.",
    query: SESSION,
    replies: { 204: { description: "The requests were forgotten." } },
    handle: ({ session }) => session.requests.clear(),
  },
} satisfies Readonly<Record<string, ControlRoute>>;

function findRequest({ state }: OpenSession, name: string): JournalEntry {
  const [found] = state.journal.page(Number(name) - 1, 1);
  if (found !== undefined && `${found.number}` === name) return found;
  throw new ControlError(404, `number: this session has no request ${name}, or no longer keeps it`);
}

/**
 * Sends a recorded request again. If it had a token, a token of its session replaces it.
 *
 * @throws {@link ControlError} with status 409 if the journal may not contain its whole body, or if `fetch` would send
 * something else, or nothing.
 */
function replay(session: MockSession, { view, body }: JournalEntry): void {
  const { method, path, token } = view;
  if (body.whole === undefined) {
    throw new ControlError(409, "the request cannot be sent again: the mock did not keep its whole body");
  }
  const headers = Object.entries(view.headers).filter(([name]) => !NOT_REPLAYED.has(name));
  const { authorization } = view.headers;
  if (authorization !== undefined) {
    headers.push(["authorization", token === undefined ? authorization : `Bearer ${session.token}`]);
  }
  // An empty text would be sent with a Content-Type of its own.
  const hasBody = body.whole.length > 0 && method !== "GET" && method !== "HEAD";
  const { origin } = new URL(session.baseUrl);
  const url = origin + path;
  const isKept = URL.canParse(url) && new URL(url).href === url && url.startsWith(session.baseUrl);
  if (!isKept || NOT_SENT.has(method)) {
    throw new ControlError(
      409,
      `the request cannot be sent again: fetch cannot send ${method} ${path} below ${session.baseUrl}`,
    );
  }
  // Not awaited, because the request may be held or hang. The journal records the response.
  session
    .fetch(url, { method, headers, body: hasBody ? (body.whole as BodyInit) : null, redirect: "manual" })
    .catch(() => {});
}

/** Methods that `fetch` refuses. */
const NOT_SENT = new Set(["CONNECT", "TRACE", "TRACK"]);

/** Headers of the connection, and headers that the new request sets itself. */
const NOT_REPLAYED = new Set(["authorization", "connection", "content-length", "expect", "host", "transfer-encoding"]);

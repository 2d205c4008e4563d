import type { RecordedRequest } from "../../../service/mock-plant-store.ts";
import type { NumberedEntry } from "../../../service/sessions/journal.ts";
import { stateOf } from "../../../service/sessions/session.ts";
import { PAGE, readPage } from "../page.ts";
import { DONE, ok, type Route, SESSION } from "../route.ts";
import { count, list, object, schemaRef } from "../schema.ts";

/** What was sent in a session. */
export const requestRoutes = {
  listRequests: {
    method: "GET",
    path: "/requests",
    summary: "Lists the requests of a session, oldest first. A label stands for each token.",
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
    handle: ({ session, query }) => {
      const { journal } = stateOf(session);
      const { after, limit } = readPage(query, journal.count);
      return ok({ count: journal.count, requests: journal.page(after, limit).map(describeEntry) });
    },
  },
  clearRequests: {
    method: "DELETE",
    path: "/requests",
    summary: "Forgets the requests so far.",
    query: SESSION,
    replies: { 204: { description: "They are forgotten." } },
    handle: ({ session }) => {
      session.requests.clear();
      return DONE;
    },
  },
} satisfies Readonly<Record<string, Route>>;

/** A request with its number, which counts from the last reset; the oldest are not kept. */
function describeEntry({ number, entry }: NumberedEntry): RecordedRequest & { number: number } {
  return { number, ...entry.view };
}

import { LAST, newest } from "../newest.ts";
import { DONE, ok, type Route, SESSION } from "../route.ts";
import { count, list, object, schemaRef } from "../schema.ts";

/** What was sent in a session. */
export const requestRoutes = {
  listRequests: {
    method: "GET",
    path: "/requests",
    summary: "Lists the requests of a session, oldest first. A label stands for each token.",
    query: { ...SESSION, ...LAST },
    replies: {
      200: {
        description: "The requests.",
        schema: object({
          count: count("How many arrived, including those that are no longer kept."),
          requests: list(schemaRef("RecordedRequest")),
        }),
      },
    },
    handle: ({ session: { requests }, query }) => {
      return ok({ count: requests.count, requests: newest([...requests], query) });
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

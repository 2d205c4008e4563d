import type { Writable } from "node:stream";
import { type Route, SESSION } from "../route.ts";
import { SessionFeed } from "../session-feed.ts";

/** Calls that stream events. */
export const eventRoutes = {
  watch: {
    method: "GET",
    path: "/events",
    summary: "Streams the changes of a session, one line of JSON each, until the session or the connection ends.",
    query: SESSION,
    replies: {
      200: {
        description: "Lines of JSON (application/x-ndjson).",
        schema: { type: "string" },
        type: "application/x-ndjson",
      },
    },
    handle:
      ({ session, sessions }) =>
      (output: Writable) =>
        void new SessionFeed(output, session, sessions),
  },
} satisfies Readonly<Record<string, Route>>;

import { type Route, SESSION } from "../route.ts";
import { SessionFeed } from "../session-feed.ts";

/** What happens in a session, as it happens. */
export const eventRoutes = {
  watch: {
    method: "GET",
    path: "/events",
    summary:
      "Streams what happens in a session: one line of JSON for each change, until the session or the caller ends.",
    query: SESSION,
    replies: {
      200: {
        description: "Lines of JSON (application/x-ndjson).",
        schema: { type: "string" },
        type: "application/x-ndjson",
      },
    },
    handle: ({ session, sessions }) => ({
      status: 200,
      stream: (output) => {
        new SessionFeed(output, session, sessions);
      },
    }),
  },
} satisfies Readonly<Record<string, Route>>;

import type { Writable } from "node:stream";
import { ControlError } from "../control-error.ts";
import { type Route, refusal, SESSION } from "../route.ts";
import { SessionFeed } from "../session-feed.ts";

export const eventRoutes = {
  watch: {
    method: "GET",
    path: "/events",
    summary: "Streams the changes of a session as lines of JSON, until the session or the connection ends.",
    query: {
      ...SESSION,
      requests: {
        description: "`all` includes the requests of every other session.",
        schema: { type: "string", enum: ["all"] },
      },
    },
    replies: {
      200: {
        description: "Lines of JSON (application/x-ndjson).",
        schema: { type: "string" },
        type: "application/x-ndjson",
      },
      429: refusal("Too many streams are open."),
    },
    handle: ({ session, query }) => {
      const requests = query.get("requests");
      if (requests !== null && requests !== "all") {
        throw new ControlError(400, `requests: must be all; received ${JSON.stringify(requests)}`);
      }
      return (output: Writable) => void new SessionFeed(output, session, requests === "all");
    },
  },
} satisfies Readonly<Record<string, Route>>;

import type { Fault } from "../../../service/faults/fault.ts";
import type { PlantMatch } from "../../../service/mock-plant-store.ts";
import { readObject } from "../read-call.ts";
import { DONE, type Route, refusal, SESSION } from "../route.ts";
import { schemaRef } from "../schema.ts";

interface Injection {
  readonly fault: Fault;
  readonly times?: number | "unlimited";
  readonly when?: PlantMatch;
}

/** What goes wrong in a session. */
export const faultRoutes = {
  injectFault: {
    method: "POST",
    path: "/faults",
    summary: "Makes one or more requests of a session fail.",
    query: SESSION,
    body: {
      schema: schemaRef("Injection"),
      isRequired: true,
      example: '{"fault":{"type":"rateLimited","retryAfterSeconds":2},"times":3,"when":{"id":7}}',
    },
    replies: {
      204: { description: "The fault is queued." },
      400: refusal("The fault is not valid, or this form of the mock cannot reproduce it."),
    },
    handle: ({ session, body }) => {
      const { fault, times, when } = readObject<Injection>(body);
      session.inject(fault, { times: times === "unlimited" ? Number.POSITIVE_INFINITY : times, when });
      return DONE;
    },
  },
} satisfies Readonly<Record<string, Route>>;

import type { Fault } from "../../../service/faults/fault.ts";
import type { PlantMatch } from "../../../service/mock-plant-store.ts";
import { DONE, type Route, refusal, SESSION } from "../route.ts";
import { options, plantFields, schemaRef } from "../schema.ts";

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
      schema: options(
        {
          fault: schemaRef("Fault"),
          times: {
            description: "How many requests it applies to.",
            default: 1,
            oneOf: [{ type: "integer", minimum: 1 }, { const: "unlimited" }],
          },
          when: { ...options(plantFields), description: "Only requests whose plant has all of these fields." },
        },
        ["fault"],
      ),
      isRequired: true,
      example: '{"fault":{"type":"rateLimited","retryAfterSeconds":2},"times":3,"when":{"id":7}}',
    },
    replies: {
      204: { description: "The fault is queued." },
      400: refusal("The fault is not valid, or this form of the mock cannot reproduce it."),
    },
    handle: ({ session, options }) => {
      const { fault, times, when } = options as unknown as Injection;
      session.inject(fault, { times: times === "unlimited" ? Number.POSITIVE_INFINITY : times, when });
      return DONE;
    },
  },
} satisfies Readonly<Record<string, Route>>;

import type { Fault } from "../../../service/faults/fault-table.ts";
import type { PlantMatch } from "../../../service/mock-plant-store.ts";
import { ControlError, checked } from "../control-error.ts";
import { type ControlRoute, SESSION } from "../control-route.ts";
import { options, plantFields, schemaRef } from "../json-schema.ts";

interface Injection {
  readonly fault: Fault;
  readonly times?: number | "unlimited";
  readonly when?: PlantMatch;
}

export const faultRoutes = {
  removeFault: {
    method: "DELETE",
    path: "/faults/{fault}",
    variable: "The name of the fault.",
    summary: "Removes a queued fault, whose name the state has.",
    query: SESSION,
    refusals: { 404: "The fault does not exist." },
    handle: ({ opened: { state }, name }) => {
      const queued = [...state.faults].find((candidate) => candidate.name === name);
      if (queued === undefined) throw new ControlError(404, `unknown fault ${JSON.stringify(name)} in this session`);
      state.removeFault(queued);
    },
  },
  injectFault: {
    method: "POST",
    path: "/faults",
    summary: "Makes one or more requests of a session fail.",
    query: SESSION,
    body: {
      schema: options(
        { fault: schemaRef("Fault") },
        {
          times: {
            description: "How many requests it affects.",
            default: 1,
            oneOf: [{ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, { const: "unlimited" }],
          },
          when: {
            ...options({}, plantFields("all")),
            description: "Limits the fault to requests whose plant has all of these values.",
          },
        },
      ),
      isRequired: true,
      example: '{"fault": {"type": "rateLimited", "retryAfterSeconds": 2}, "times": 3, "when": {"id": 7}}',
    },
    refusals: { 400: "The fault is invalid, or only the in-memory mock can reproduce it." },
    handle: ({ session, options }) => {
      const { fault, times, when } = options as unknown as Injection;
      if (times === Number.POSITIVE_INFINITY) throw new ControlError(400, 'times: must be an integer, or "unlimited"');
      checked(() => session.inject(fault, { times: times === "unlimited" ? Number.POSITIVE_INFINITY : times, when }));
    },
  },
} satisfies Readonly<Record<string, ControlRoute>>;

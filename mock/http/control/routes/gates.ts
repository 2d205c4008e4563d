import { checked } from "../control-error.ts";
import { type ControlRoute, SESSION } from "../control-route.ts";
import { object, string } from "../json-schema.ts";
import { COUNT, readCount } from "../read-call.ts";

const variable = "The name of the gate.";
const unknown = "The gate does not exist.";

/** Short enough that proxies and clients do not time out. The caller calls again. */
const ARRIVAL_WAIT_MS = 10_000;

export const gateRoutes = {
  hold: {
    method: "POST",
    path: "/gates",
    summary: "Holds every later request of a session before it is validated.",
    query: SESSION,
    status: 201,
    result: object({ gate: string(variable) }),
    handle: ({ sessions, opened }) => ({ gate: sessions.hold(opened) }),
  },
  awaitArrival: {
    method: "GET",
    path: "/gates/{gate}/arrived",
    variable,
    maxWaitMs: ARRIVAL_WAIT_MS,
    summary: "Waits for requests to arrive at a gate, for ten seconds at most; after a 202, call again.",
    query: {
      count: {
        description: "How many requests to wait for, counted from the creation of the gate.",
        schema: { ...COUNT, minimum: 1, default: 1 },
      },
    },
    status: 202,
    result: object({ arrived: { const: false } }),
    refusals: { 404: unknown, 409: "The gate was released, or the session was reset, before the requests arrived." },
    handle: async ({ sessions, name, query, closed }) => {
      const gate = sessions.gate(name);
      const arrival = checked(() => gate.arrived(readCount(query, "count") ?? 1));
      const hasArrived = await settlesWithin(arrival, ARRIVAL_WAIT_MS, closed);
      gate.forget(arrival);
      return hasArrived ? undefined : { arrived: false };
    },
  },
  releaseGate: {
    method: "DELETE",
    path: "/gates/{gate}",
    variable,
    summary: "Releases a gate, whose name the state has too: the held requests continue, and it holds no more.",
    refusals: { 404: unknown },
    handle: ({ sessions, name }) => sessions.gate(name).release(),
  },
} satisfies Readonly<Record<string, ControlRoute>>;

/** Whether a promise settles within some milliseconds, and before the caller has left. */
async function settlesWithin(promise: Promise<void>, ms: number, abandoned: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([promise.then(() => true), late, abandoned.then(() => false)]);
  } finally {
    clearTimeout(timer);
  }
}

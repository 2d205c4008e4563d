import { stateOf } from "../../../service/sessions/session.ts";
import { describeGate } from "../inspection.ts";
import { readCount, sessionName } from "../read-call.ts";
import { type ControlCall, type ControlReply, DONE, ok, type Route, refusal, SESSION } from "../route.ts";
import { count, list, object, schemaRef, string } from "../schema.ts";

const variable = "The name of the gate.";
const unknown = refusal("There is no such gate.");

/** What holds the requests of a session back. */
export const gateRoutes = {
  listGates: {
    method: "GET",
    path: "/gates",
    summary: "Lists the closed gates of a session, with the requests that they hold.",
    query: SESSION,
    replies: { 200: { description: "The gates.", schema: object({ gates: list(schemaRef("Gate")) }) } },
    handle: ({ session }) => ok({ gates: [...stateOf(session).gates].map(describeGate) }),
  },
  hold: {
    method: "POST",
    path: "/gates",
    summary: "Holds every later request of a session before it is validated.",
    query: SESSION,
    replies: { 201: { description: "The gate.", schema: object({ gate: string("Its name.") }) } },
    handle: ({ sessions, query }) => ({ status: 201, value: { gate: sessions.hold(sessionName(query)) } }),
  },
  awaitArrival: {
    method: "GET",
    path: "/gates/{gate}/arrived",
    variable,
    waits: true,
    summary: "Waits up to ten seconds until so many requests have reached the gate.",
    query: {
      count: {
        description: "How many requests, counted from the moment the gate was made.",
        schema: { ...count(""), minimum: 1, default: 1 },
      },
    },
    replies: {
      202: { description: "Not yet: ask again.", schema: object({ arrived: { const: false } }) },
      204: { description: "They have arrived." },
      404: unknown,
      409: refusal("The gate was released, or a reset ended it, before so many came."),
    },
    handle: async ({ sessions, name, query }) => {
      const arrival = sessions.gate(name).arrived(readCount(query, "count") ?? 1);
      return (await settlesWithin(arrival, ARRIVAL_WAIT_MS)) ? DONE : { status: 202, value: { arrived: false } };
    },
  },
  removeGate: {
    method: "DELETE",
    path: "/gates/{gate}",
    variable,
    summary: "Releases a gate.",
    replies: { 204: { description: "The gate is open." }, 404: unknown },
    handle: release,
  },
  releaseGate: {
    method: "POST",
    path: "/gates/{gate}/release",
    variable,
    summary: "Lets every held request go on, and holds no further one.",
    replies: { 204: { description: "The gate is open." }, 404: unknown },
    handle: release,
  },
} satisfies Readonly<Record<string, Route>>;

function release({ sessions, name }: ControlCall): ControlReply {
  sessions.gate(name).release();
  return DONE;
}

/** A call that waits is answered before proxies and clients lose patience; the caller asks again. */
const ARRIVAL_WAIT_MS = 10_000;

async function settlesWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

import type { Service } from "../../../service/service.ts";
import type { SessionEntry } from "../../../service/sessions/session-registry.ts";
import { type ControlCall, type ControlRoute, SESSION } from "../control-route.ts";
import { count, list, object, schemaRef, string } from "../json-schema.ts";
import { describeFault, describeGate, shortenPlant, summarize, take } from "../json-views.ts";

/** How many requests, plants and other items the state contains at most. */
const LISTED = { requests: 1_000, plants: 50, faults: 100, gates: 100 };

export const stateRoutes = {
  getState: {
    method: "GET",
    path: "/state",
    summary: "Returns what the console shows of a session. With `If-None-Match`, only if something has changed.",
    isVersioned: true,
    query: SESSION,
    result: object({
      baseUrl: string("The address of the service."),
      sessionCount: count("How many sessions are open."),
      sessions: list(string("The name of a session.")),
      requestCount: count("How many requests arrived in the session, including those that are no longer kept."),
      requests: list(schemaRef("RequestSummary")),
      plantCount: count("How many plants the session has."),
      plants: list(schemaRef("NewPlant")),
      faultCount: count("How many faults are queued."),
      faults: list(schemaRef("QueuedFault")),
      gateCount: count("How many gates are closed."),
      heldCount: count("How many requests they hold."),
      gates: list(schemaRef("Gate")),
    }),
    handle: ({ service, opened }: ControlCall) => describeState(service, opened),
  },
} satisfies Readonly<Record<string, ControlRoute>>;

function describeState(service: Service, { state }: SessionEntry) {
  const { requests, plants, faults, gates } = state;
  return {
    baseUrl: service.baseUrl,
    sessionCount: service.sessions.size,
    sessions: take(service.sessions).map(({ name }) => name),
    requestCount: requests.count,
    requests: take(requests.newest(), LISTED.requests).map(summarize),
    plantCount: plants.size,
    plants: plants
      .page(Math.max(0, plants.size - LISTED.plants), LISTED.plants)
      .reverse()
      .map(shortenPlant),
    faultCount: faults.size,
    faults: take(faults, LISTED.faults).map(describeFault),
    gateCount: gates.size,
    heldCount: [...gates].reduce((sum, gate) => sum + gate.heldCount, 0),
    gates: take(gates, LISTED.gates).map(describeGate),
  };
}

import type { Service } from "../../../service/service.ts";
import type { JournalEntry } from "../../../service/sessions/journal-entry.ts";
import type { OpenSession } from "../../../service/sessions/session-registry.ts";
import { ControlError } from "../control-error.ts";
import { type ControlCall, type ControlRoute, SESSION } from "../control-route.ts";
import { count, list, object, schemaRef, string } from "../json-schema.ts";
import { describeFault, describeGate, shortenPlant, summarize, take } from "../json-views.ts";

/** How many requests, plants and other items the state contains at most. */
const LISTED = { requests: 1_000, sessions: 1_000, plants: 50, faults: 100, gates: 100, heldRequests: 100 };

export const stateRoutes = {
  getState: {
    method: "GET",
    path: "/state",
    summary: "Returns what the console shows of a session. With `If-None-Match`, only if something has changed.",
    isVersioned: true,
    query: {
      ...SESSION,
      requests: {
        description: "`all` includes the requests of every other session.",
        schema: { type: "string", enum: ["all"] },
      },
    },
    replies: {
      200: {
        description: "The state, with the beginning of each long list.",
        schema: object({
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
      },
      304: { description: "Nothing has changed since the response with this ETag." },
    },
    handle: ({ service, opened, query }: ControlCall) => describeState(service, opened, isOfAll(query)),
  },
} satisfies Readonly<Record<string, ControlRoute>>;

/** @throws {@link ControlError} with status 400. */
function isOfAll(query: URLSearchParams): boolean {
  const requests = query.get("requests");
  if (requests === null || requests === "all") return requests === "all";
  throw new ControlError(400, `requests: must be all; received ${JSON.stringify(requests)}`);
}

function describeState(service: Service, opened: OpenSession, isOfAll: boolean) {
  const { journal, plants, faults, gates } = opened.state;
  return {
    baseUrl: service.baseUrl,
    sessionCount: service.sessions.size,
    sessions: take(service.sessions, LISTED.sessions).map(({ name }) => name),
    requestCount: journal.count,
    requests: isOfAll ? newestOfAll(service) : newestOf(opened),
    plantCount: plants.size,
    plants: plants
      .page(Math.max(0, plants.size - LISTED.plants), LISTED.plants)
      .reverse()
      .map(shortenPlant),
    faultCount: faults.size,
    faults: take(faults, LISTED.faults).map(describeFault),
    gateCount: gates.size,
    heldCount: [...gates].reduce((sum, gate) => sum + gate.heldCount, 0),
    gates: take(gates, LISTED.gates).map((gate) => {
      return { ...describeGate(gate, LISTED.heldRequests), heldCount: gate.heldCount };
    }),
  };
}

/** The newest requests of a session, the newest first. */
function newestOf({ name, state }: OpenSession) {
  return take(state.journal.newest(), LISTED.requests).map((entry) => summarize(entry, name));
}

/** The same of all sessions: those of the newest requests in the mock that a session still keeps. */
function newestOfAll(service: Service) {
  const found: { readonly entry: JournalEntry; readonly name: string }[] = [];
  for (const { name, state } of service.sessions) {
    for (const entry of state.journal.newest()) {
      if (entry.sequence <= service.arrivedCount - LISTED.requests) break;
      found.push({ entry, name });
    }
  }
  return found.sort((a, b) => b.entry.sequence - a.entry.sequence).map(({ entry, name }) => summarize(entry, name));
}

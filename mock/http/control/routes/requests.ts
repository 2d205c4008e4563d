import type { RequestRecord } from "../../../service/sessions/request-record.ts";
import type { SessionEntry } from "../../../service/sessions/session-registry.ts";
import { ControlError } from "../control-error.ts";
import { type ControlRoute, SESSION } from "../control-route.ts";
import { count, list, object, schemaRef } from "../json-schema.ts";
import { describeRequest, explainResponse, maskSecrets } from "../json-views.ts";
import { PAGE, readPage } from "../paging.ts";

export const requestRoutes = {
  listRequests: {
    method: "GET",
    path: "/requests",
    summary: "Lists the requests of a session, oldest first, with labels in place of tokens.",
    query: { ...SESSION, ...PAGE },
    result: object({
      count: count("How many arrived, including those that are no longer kept."),
      refusedConnections: count("How many connections the mock refused before there was a request, e.g. of https."),
      requests: list(schemaRef("RecordedRequest")),
    }),
    handle: ({ service, opened, query }) => {
      const { requests } = opened.state;
      const { after, limit } = readPage(query, requests.count);
      const page = requests.page(after, limit).map(describeRequest);
      return { count: requests.count, refusedConnections: service.refusedCount, requests: page };
    },
  },
  getRequest: {
    method: "GET",
    path: "/requests/{number}",
    variable: "The number of the request.",
    summary: "Returns one request as the console shows it: with the reason for its response, and without secrets.",
    query: SESSION,
    result: schemaRef("RecordedRequest"),
    refusals: { 404: "The request does not exist, or is no longer kept." },
    handle: ({ opened, name }) => {
      const found = findRequest(opened, name);
      const request = describeRequest(found);
      return { ...request, headers: maskSecrets(request.headers), why: explainResponse(found) };
    },
  },
  clearRequests: {
    method: "DELETE",
    path: "/requests",
    summary: "Forgets the requests so far.",
    query: SESSION,
    handle: ({ session }) => session.requests.clear(),
  },
} satisfies Readonly<Record<string, ControlRoute>>;

function findRequest({ state }: SessionEntry, name: string): RequestRecord {
  const [found] = state.requests.page(Number(name) - 1, 1);
  if (found !== undefined && `${found.number}` === name) return found;
  throw new ControlError(404, `number: this session has no request ${name}, or no longer keeps it`);
}

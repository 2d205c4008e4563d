import type { NewPlant } from "../../../src/contract/plant.ts";
import type { Fault } from "../../service/faults/fault-table.ts";
import type { HeldGate } from "../../service/sessions/gate.ts";
import type { Session } from "../../service/sessions/session.ts";
import type { SessionRegistry } from "../../service/sessions/session-registry.ts";
import { maskSecrets, viewState, whyOf } from "./console-state.ts";
import { CONTROL_VERSION, ControlError, type ControlRoute, NO_SESSION_CODE, orBadRequest } from "./control-route.ts";
import { PAGE, readCount, readId, readPage } from "./read-call.ts";

/** Short enough that proxies and clients do not time out. */
const ARRIVAL_WAIT_MS = 10_000;

/** Every call of the control API. */
export const routes = {
  getHealth: {
    method: "GET",
    path: "/health",
    summary: "Reports that the mock is running. Needs no control token, and accepts every host.",
    handle: ({ baseUrl, instance }) => ({ status: "ok", baseUrl, version: CONTROL_VERSION, instance }),
  },
  listPlants: {
    method: "GET",
    path: "/plants",
    summary: "Lists the plants of a session, oldest first.",
    query: PAGE,
    handle: ({ state: { plants }, query }) => {
      const { after, limit } = readPage(query, plants.size);
      return { size: plants.size, plants: plants.page(after, limit) };
    },
  },
  addPlant: {
    method: "POST",
    path: "/plants",
    summary: "Stores a plant without a request. A duplicate id is accepted.",
    body: { example: '{"id": 7, "name": "Monstera deliciosa"}' },
    handle: ({ session, body }) => orBadRequest(() => session.plants.add(body as unknown as NewPlant)),
  },
  getPlant: {
    method: "GET",
    path: "/plants/{id}",
    summary: "Returns the newest plant with this id.",
    handle: ({ session, name }) => {
      const plant = orBadRequest(() => session.plants.get(readId(name)));
      if (plant === undefined) throw new ControlError(404, `id: this session has no plant ${name}`);
      return plant;
    },
  },
  listRequests: {
    method: "GET",
    path: "/requests",
    summary: "Lists the requests of a session, oldest first, with labels in place of tokens.",
    query: PAGE,
    handle: ({ state: { requests }, query }) => {
      const { after, limit } = readPage(query, requests.count);
      return { count: requests.count, requests: requests.page(after, limit).map(({ view }) => view) };
    },
  },
  getRequest: {
    method: "GET",
    path: "/requests/{number}",
    summary: "Returns one request as the console shows it: with the reason for its response, and without secrets.",
    handle: ({ state, name }) => {
      const [found] = state.requests.page(Number(name) - 1, 1);
      if (found === undefined || `${found.number}` !== name) {
        throw new ControlError(404, `number: this session has no request ${name}, or no longer keeps it`);
      }
      return { ...found.view, headers: maskSecrets(found.view.headers), why: whyOf(found) };
    },
  },
  clearRequests: {
    method: "DELETE",
    path: "/requests",
    summary: "Forgets the requests so far.",
    handle: ({ session }) => session.requests.clear(),
  },
  injectFault: {
    method: "POST",
    path: "/faults",
    summary: "Makes one or more requests of a session fail. Returns the number of the fault.",
    body: {
      example: '{"fault": {"type": "rateLimited", "retryAfterSeconds": 2}, "times": 3, "when": {"id": 7}}',
      keys: ["fault", "times", "probability", "when"],
    },
    status: 201,
    handle: ({ session, state, body }) => {
      const { fault, times, ...others } = body as { fault: Fault; times?: number | "unlimited" };
      if (times === Number.POSITIVE_INFINITY) throw new ControlError(400, 'times: must be an integer, or "unlimited"');
      orBadRequest(() =>
        session.inject(fault, { ...others, times: times === "unlimited" ? Number.POSITIVE_INFINITY : times }),
      );
      return { number: state.faults.count };
    },
  },
  removeFault: {
    method: "DELETE",
    path: "/faults/{number}",
    summary: "Removes an injected fault.",
    handle: ({ state, name }) => {
      const injected = [...state.faults.injected].find(({ number }) => `${number}` === name);
      if (injected === undefined) throw new ControlError(404, `number: this session has no injected fault ${name}`);
      state.faults.injected.delete(injected);
    },
  },
  hold: {
    method: "POST",
    path: "/gates",
    summary: "Holds every later request of a session before it is validated. Returns the name of the gate.",
    status: 201,
    handle: ({ state }) => ({ gate: state.hold().name }),
  },
  awaitArrival: {
    method: "GET",
    path: "/gates/{gate}/arrived",
    maxWaitMs: ARRIVAL_WAIT_MS,
    summary:
      "Waits for `count` requests (1 by default) to arrive at a gate, for ten seconds at most; after a 202, call again.",
    query: ["count"],
    status: 202,
    handle: ({ service, name, query }) => {
      const gate = findGate(service.sessions, name);
      const arrival = orBadRequest(() => gate.arrived(readCount(query, "count") ?? 1));
      const late = new Promise<{ arrived: false }>((resolve) => {
        setTimeout(resolve, ARRIVAL_WAIT_MS, { arrived: false }).unref();
      });
      return Promise.race([arrival, late]);
    },
  },
  releaseGate: {
    method: "DELETE",
    path: "/gates/{gate}",
    summary: "Releases a gate: the held requests continue. `GET /_mock/state` names the gates.",
    handle: ({ service, name }) => findGate(service.sessions, name).release(),
  },
  openSession: {
    method: "POST",
    path: "/sessions",
    summary: "Opens a session with its own plants, requests, faults and gates.",
    body: { example: '{"tokens": ["a"]}', keys: ["tokens"], isOptional: true },
    status: 201,
    handle: ({ mock, service, baseUrl, body }) => {
      const { token } = orBadRequest(() => mock.session(body));
      return { session: service.sessions.of(token).name, baseUrl, token };
    },
  },
  getToken: {
    method: "GET",
    path: "/token",
    summary: "Returns a valid bearer token of a session.",
    handle: ({ session }) => ({ token: session.token }),
  },
  disposeSession: {
    method: "DELETE",
    path: "/sessions/{session}",
    summary: "Resets a session and frees its tokens.",
    handle: ({ service, name }) => {
      const { calls } = findSession(service.sessions, name);
      if (name === "root") throw new ControlError(400, "session: the root cannot be disposed; use POST /_mock/reset");
      calls?.close();
    },
  },
  reset: {
    method: "POST",
    path: "/reset",
    summary: "Resets a session: plants return to the initial ones; requests, faults and gates are removed.",
    handle: ({ session }) => session.reset(),
  },
  verify: {
    method: "GET",
    path: "/verify",
    summary: "Checks that a test left nothing behind in a session; a 409 lists every problem.",
    handle: ({ session }) => session.verify(),
  },
  labelOf: {
    method: "POST",
    path: "/labels",
    summary: "Returns the label that replaces a token in recorded requests.",
    body: { example: '{"token": "a"}', keys: ["token"] },
    handle: ({ mock, body }) => ({ label: orBadRequest(() => mock.labelOf(body.token as string)) }),
  },
  getState: {
    method: "GET",
    path: "/state",
    summary: "Returns what the console shows of a session.",
    handle: ({ service, baseUrl, state }) => viewState(service, baseUrl, state),
  },
} satisfies Readonly<Record<string, ControlRoute>>;

export type RouteName = keyof typeof routes;

/** The value in the response to a call. */
export type ResultOf<Name extends RouteName> = Awaited<ReturnType<(typeof routes)[Name]["handle"]>>;

/**
 * The session with a name. Names are random: otherwise a client that connected before a restart of the mock could control
 * another client's session.
 *
 * @throws {@link ControlError} with status 404.
 */
export function findSession(sessions: SessionRegistry, name: string): Session {
  const found = sessions.get(name);
  if (found !== undefined) return found;
  const message = `unknown session ${JSON.stringify(name)}; GET /_mock/state lists the open ones`;
  throw new ControlError(404, message, [], NO_SESSION_CODE);
}

/**
 * The closed gate with a name, of any session.
 *
 * @throws {@link ControlError} with status 404.
 */
function findGate(sessions: SessionRegistry, name: string): HeldGate {
  const closed = [...sessions].flatMap(({ state }) => [...state.gates]);
  const found = closed.find((gate) => gate.name === name);
  if (found !== undefined) return found;
  throw new ControlError(404, `unknown gate ${JSON.stringify(name)}; one is known until its release or a reset`);
}

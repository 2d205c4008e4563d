import { describe, kindOf } from "../../../src/checks/describe.ts";
import { isInsecure } from "../../../src/checks/http/base-url.ts";
import { isInt64 } from "../../../src/contract/int64.ts";
import { DISPOSE } from "../../time/runtime.ts";
import { checkToken, randomToken, sessionRules } from "../authentication.ts";
import { checkOptions } from "../check-options.ts";
import { checkFault, checkReproducible } from "../faults/check-fault.ts";
import type { Fetch, MockPlantStore, MockPlants, MockRequests, MockSession } from "../mock-plant-store.ts";
import type { Service } from "../service.ts";
import { toStoredPlant } from "../stored-plants.ts";
import type { Session } from "./session.ts";
import { verify } from "./verify.ts";

/** What an adapter gives the root session, and every other. */
interface Adapter {
  readonly service: Service;
  readonly fetch: Fetch;
  /** Whether clients must use the in-memory fetch, because no adapter delivers their requests to the mock. */
  readonly isInMemory: boolean;
}

/** The method that `console.log` calls in Node, Bun and Deno. */
const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

/** Creates the object that tests hold. */
function createSession(session: Session, token: string, { service, fetch, isInMemory }: Adapter): MockSession {
  const { baseUrl, sessions, options } = service;
  const plants = plantsOf(session);
  const requests = requestsOf(session);
  const calls: MockSession = {
    baseUrl,
    token,
    fetch,
    plants,
    requests,
    get clientOptions() {
      const { backoff, ...others } = clientOptionsFor(baseUrl, token);
      const { virtualClock: clock, simulation } = options;
      // A simulated run replaces `fetch`, and its client reads the globals of time.
      return {
        ...others,
        ...(isInMemory && { fetch: this.fetch }),
        ...(clock ? { clock } : !simulation && { backoff }),
      };
    },
    inject(fault, injectOptions) {
      session.checkOpen("inject");
      const checked = checkFault(fault);
      if (!isInMemory) checkReproducible(checked);
      session.state.faults.add(checked, injectOptions);
    },
    hold() {
      session.checkOpen("hold");
      return session.state.hold();
    },
    reset: () => session.reset(),
    verify() {
      session.checkOpen("verify");
      verify(session.state);
    },
    close: () => sessions.dispose(session),
    /** Adapters replace `close`. */
    [DISPOSE]() {
      this.close();
    },
  };
  session.calls = Object.assign(calls, { [INSPECT]: () => ({ baseUrl, plants, requests }) });
  return calls;
}

function plantsOf(session: Session): MockPlants {
  const plants: MockPlants = {
    get size() {
      return session.state.plants.size;
    },
    get(id) {
      checkId(id);
      return session.state.plants.get(id);
    },
    has(id) {
      checkId(id);
      return session.state.plants.has(id);
    },
    add(plant) {
      session.checkOpen("plants.add");
      session.state.plants.push(toStoredPlant(plant, "plant"));
    },
    [Symbol.iterator]: () => session.state.plants[Symbol.iterator](),
  };
  return Object.assign(plants, { [INSPECT]: () => [...plants] });
}

function requestsOf(session: Session): MockRequests {
  const requests: MockRequests = {
    get count() {
      return session.state.requests.count;
    },
    get last() {
      return session.state.requests.last?.view;
    },
    clear: () => session.state.requests.clear(),
    *[Symbol.iterator]() {
      // A snapshot: a request that arrives during the iteration is not included.
      for (const record of session.state.requests.page(0, Number.POSITIVE_INFINITY)) yield record.view;
    },
  };
  return Object.assign(requests, { [INSPECT]: () => [...requests] });
}

/** @throws TypeError if the id of a plant to look up is not an int64. */
export function checkId(id: number | bigint): void {
  if (!isInt64(id)) throw new TypeError(`id: must be an int64, as a safe number or a bigint, not ${describe(id)}`);
}

/** Options of a client that sends its requests to this address. */
export function clientOptionsFor(baseUrl: string, token: string) {
  return { baseUrl, token, backoff: { initialMs: 0 }, ...(isInsecure(baseUrl) && { allowInsecure: true as const }) };
}

/** Creates the {@link MockPlantStore}: the session of every request that belongs to no other session. */
export function createRootSession(shared: Adapter, handle: MockPlantStore["handle"]): MockPlantStore {
  const { options, sessions, labels } = shared.service;
  const root = createSession(sessions.root, options.auth?.token ?? randomToken("root", options.clock), shared);
  return Object.assign(root, {
    handle,
    session(given) {
      const { tokens = [randomToken("session", options.clock)] } = checkOptions(given, sessionRules);
      const checked = tokens.map((token, index) => checkToken(token, `tokens[${index}]`));
      const [first] = checked;
      if (first === undefined) throw new TypeError("tokens: must not be empty; omit the option for a random token");
      return createSession(sessions.open(checked), first, shared);
    },
    labelOf(token) {
      if (typeof token !== "string") throw new TypeError(`token: must be a string, not ${kindOf(token)}`);
      return labels.of(token);
    },
    close: () => shared.service.close(),
  } satisfies Omit<MockPlantStore, keyof MockSession> & Pick<MockPlantStore, "close">);
}

import type { NewPlant, ValidNewPlant } from "../../../src/contract/plant.ts";
import { checkFault } from "../../service/faults/check-fault.ts";
import { checkInjection } from "../../service/faults/injected-faults.ts";
import type { RecordedRequest } from "../../service/mock-plant-store.ts";
import { checkId, clientOptionsFor } from "../../service/sessions/create-session.ts";
import { toStoredPlant } from "../../service/stored-plants.ts";
import { ControlError, NO_SESSION_CODE } from "../control/control-route.ts";
import type { ResultOf, RouteName } from "../control/routes.ts";
import type { CallInput, ControlClient, Query } from "./control-client.ts";
import type { RemoteGate, RemoteMockPlants, RemoteMockRequests, RemoteMockSession } from "./remote-mock-plant-store.ts";

/** A session as the control API describes it. */
export type RemoteSessionInfo = ResultOf<"openSession">;

type SessionCall = <Name extends RouteName>(route: Name, input?: CallInput) => Promise<ResultOf<Name>>;

/** Creates a {@link RemoteMockSession}, whose members make control calls. */
export function createRemoteSession(
  control: ControlClient,
  { session, baseUrl, token }: RemoteSessionInfo,
  onDisposed?: () => void,
): RemoteMockSession {
  const call: SessionCall = (route, input) => control.call(route, { ...input, query: { session, ...input?.query } });
  let disposal: Promise<void> | undefined;
  return {
    baseUrl,
    token,
    get clientOptions() {
      return clientOptionsFor(baseUrl, token);
    },
    plants: new RemotePlants(call),
    requests: new RemoteRequests(call),
    async inject(fault, options) {
      // Checked here, because as JSON a Headers or a Map would be an empty object.
      const checked = checkFault(fault);
      const { times, when, probability } = checkInjection(options);
      if (typeof when === "function") {
        throw new TypeError(
          "when: must be an object with fields of the plant; a function cannot be sent to another process",
        );
      }
      const wireTimes = times === Number.POSITIVE_INFINITY ? "unlimited" : times;
      await call("injectFault", { body: { fault: checked, times: wireTimes, probability, when } });
    },
    hold: async () => createRemoteGate(control, (await call("hold")).gate),
    reset: () => call("reset"),
    verify: () => call("verify"),
    /** Closing twice has no effect, as for a local session; both wait for the end of it. */
    close() {
      disposal ??= control.call("disposeSession", { name: session }).catch(unlessGone).then(onDisposed);
      return disposal;
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

function createRemoteGate(control: ControlClient, name: string): RemoteGate {
  const untilArrived = async (count: number) => {
    const input = { name, query: { count: `${count}` } };
    while ((await control.call("awaitArrival", input)) !== undefined);
  };
  return {
    arrived: (count) => {
      const arrival = untilArrived(count);
      arrival.catch(() => {}); // If nothing awaits it any more, a reset must not cause an unhandled rejection.
      return arrival;
    },
    release: () => control.call("releaseGate", { name }).catch(unlessGone),
  };
}

/** A session or gate may have ended before: by another call (404), or with the mock, which was restarted (410). */
function unlessGone(error: unknown): void {
  if (!(error instanceof ControlError) || ![404, 410].includes(error.status)) throw error;
}

/** A class, like {@link RemoteRequests}: an object's own getters would make control calls when somebody serializes it. */
class RemotePlants implements RemoteMockPlants {
  readonly #call: SessionCall;

  constructor(call: SessionCall) {
    this.#call = call;
  }

  get size(): Promise<number> {
    return this.#list({ last: "0" }).then(({ size }) => size);
  }

  async get(id: number | bigint): Promise<ValidNewPlant | undefined> {
    checkId(id);
    try {
      return await this.#call("getPlant", { name: `${id}` });
    } catch (error) {
      const hasSession = error instanceof ControlError && error.code !== NO_SESSION_CODE;
      if (hasSession && error.status === 404) return undefined;
      throw error;
    }
  }

  async has(id: number | bigint): Promise<boolean> {
    return (await this.get(id)) !== undefined;
  }

  async add(plant: NewPlant): Promise<void> {
    await this.#call("addPlant", { body: toStoredPlant(plant, "plant") });
  }

  [Symbol.asyncIterator](): AsyncIterator<ValidNewPlant> {
    return everyItem<ValidNewPlant>(async (query) => (await this.#list(query)).plants);
  }

  #list(query: Query): Promise<ResultOf<"listPlants">> {
    return this.#call("listPlants", { query });
  }
}

class RemoteRequests implements RemoteMockRequests {
  readonly #call: SessionCall;

  constructor(call: SessionCall) {
    this.#call = call;
  }

  get count(): Promise<number> {
    return this.#list({ last: "0" }).then(({ count }) => count);
  }

  get last(): Promise<RecordedRequest | undefined> {
    return this.#list({ last: "1" }).then(({ requests: [last] }) => last);
  }

  clear(): Promise<void> {
    return this.#call("clearRequests");
  }

  [Symbol.asyncIterator](): AsyncIterator<RecordedRequest> {
    return everyItem<RecordedRequest>(async (query) => (await this.#list(query)).requests);
  }

  #list(query: Query): Promise<ResultOf<"listRequests">> {
    return this.#call("listRequests", { query });
  }
}

/**
 * Reads a list page by page, oldest first. A request has its number in the whole list: it is not the first one if the
 * mock no longer keeps the oldest.
 */
async function* everyItem<Item extends ValidNewPlant | RecordedRequest>(
  read: (query: Query) => Promise<readonly Item[]>,
): AsyncGenerator<Item, undefined> {
  let after = 0;
  let items: readonly Item[];
  do {
    items = await read({ after: `${after}`, limit: `${PAGE_SIZE}` });
    for (const item of items) {
      after = "number" in item ? item.number : after + 1;
      yield item;
    }
  } while (items.length === PAGE_SIZE);
}

const PAGE_SIZE = 1000;

import type { NewPlant, ValidNewPlant } from "../../../src/contract/plant.ts";
import { checkFault } from "../../service/faults/fault.ts";
import type { Fault } from "../../service/faults/fault-table.ts";
import { checkInjection } from "../../service/faults/injected-faults.ts";
import type { RecordedRequest } from "../../service/mock-plant-store.ts";
import { clientOptionsFor } from "../../service/sessions/session.ts";
import { checkId } from "../../service/sessions/session-lists.ts";
import { toStoredPlant } from "../../service/stored-plant.ts";
import { NO_SESSION_CODE } from "../control/control-route.ts";
import type { ResultOf, RouteName } from "../control/routes.ts";
import { type CallInput, type ControlClient, type Query, RemoteCallError } from "./control-client.ts";
import type {
  RemoteGate,
  RemoteInjectOptions,
  RemoteMockPlants,
  RemoteMockRequests,
  RemoteMockSession,
} from "./remote-mock-plant-store.ts";

/** A session as the control API describes it. */
export type RemoteSessionInfo = ResultOf<"openSession">;

type SessionCall = <Name extends RouteName>(route: Name, input?: CallInput) => Promise<ResultOf<Name>>;

/** A {@link RemoteMockSession} whose members make control calls. */
export class RemoteSession implements RemoteMockSession {
  readonly baseUrl: string;
  readonly token: string;
  readonly plants: RemoteMockPlants;
  readonly requests: RemoteMockRequests;
  readonly #control: ControlClient;
  readonly #name: string;
  readonly #call: SessionCall;
  readonly #onDisposed: (() => void) | undefined;
  #disposal: Promise<void> | undefined;

  constructor(control: ControlClient, { session, baseUrl, token }: RemoteSessionInfo, onDisposed?: () => void) {
    this.baseUrl = baseUrl;
    this.token = token;
    this.#control = control;
    this.#name = session;
    this.#onDisposed = onDisposed;
    this.#call = (route, input) => control.call(route, { ...input, query: { session, ...input?.query } });
    this.plants = new RemotePlants(this.#call);
    this.requests = new RemoteRequests(this.#call);
  }

  get clientOptions(): RemoteMockSession["clientOptions"] {
    return clientOptionsFor(this.baseUrl, this.token);
  }

  async inject(fault: Fault, options?: RemoteInjectOptions): Promise<void> {
    // Checked here, because as JSON a Headers or a Map would be an empty object.
    const checked = checkFault(fault);
    const { times, when, probability } = checkInjection(options);
    if (typeof when === "function") {
      throw new TypeError(
        "when: must be an object with fields of the plant; a function cannot be sent to another process",
      );
    }
    const wireTimes = times === Number.POSITIVE_INFINITY ? "unlimited" : times;
    await this.#call("injectFault", { body: { fault: checked, times: wireTimes, probability, when } });
  }

  async hold(): Promise<RemoteGate> {
    const { gate: name } = await this.#call("hold");
    return {
      arrived: (count) => {
        const arrival = this.#awaitArrival(name, count);
        arrival.catch(() => {}); // If nothing awaits it any more, a reset must not cause an unhandled rejection.
        return arrival;
      },
      release: () => this.#control.call("releaseGate", { name }).catch(unlessGone),
    };
  }

  async #awaitArrival(name: string, count: number): Promise<void> {
    const input = { name, query: { count: `${count}` } };
    while ((await this.#control.call("awaitArrival", input)) !== undefined);
  }

  reset(): Promise<void> {
    return this.#call("reset");
  }

  verify(): Promise<void> {
    return this.#call("verify");
  }

  /** Closing twice has no effect, as for a local session; both wait for the end of it. */
  close(): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #dispose(): Promise<void> {
    await this.#control.call("disposeSession", { name: this.#name }).catch(unlessGone);
    this.#onDisposed?.();
  }
}

/** A session or gate may have ended before: by another call (404), or with the mock, which was restarted (410). */
function unlessGone(error: unknown): void {
  if (!(error instanceof RemoteCallError) || ![404, 410].includes(error.status)) throw error;
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
      const hasSession = error instanceof RemoteCallError && error.code !== NO_SESSION_CODE;
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

type NumberedRequest = ResultOf<"listRequests">["requests"][number];

class RemoteRequests implements RemoteMockRequests {
  readonly #call: SessionCall;

  constructor(call: SessionCall) {
    this.#call = call;
  }

  get count(): Promise<number> {
    return this.#list({ last: "0" }).then(({ count }) => count);
  }

  get last(): Promise<RecordedRequest | undefined> {
    return this.#list({ last: "1" }).then(({ requests: [last] }) => last && withoutNumber(last));
  }

  clear(): Promise<void> {
    return this.#call("clearRequests");
  }

  async *[Symbol.asyncIterator](): AsyncIterator<RecordedRequest> {
    const all = everyItem<NumberedRequest>(async (query) => (await this.#list(query)).requests);
    for await (const request of all) yield withoutNumber(request);
  }

  #list(query: Query): Promise<ResultOf<"listRequests">> {
    return this.#call("listRequests", { query });
  }
}

function withoutNumber({ number, ...request }: NumberedRequest): RecordedRequest {
  return request;
}

/**
 * Reads a list page by page, oldest first. A request has its number in the whole list: it is not the first one if the
 * mock no longer keeps the oldest.
 */
async function* everyItem<Item extends ValidNewPlant | NumberedRequest>(
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

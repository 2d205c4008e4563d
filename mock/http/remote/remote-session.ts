import { isInt64 } from "../../../src/contract/int64.ts";
import type { NewPlant } from "../../../src/contract/plant.ts";
import { checkOptions } from "../../service/check-options.ts";
import { clientOptionsFor } from "../../service/client-options.ts";
import type { Fault } from "../../service/faults/fault.ts";
import { checkMatch } from "../../service/faults/fault-queue.ts";
import type { RecordedRequest } from "../../service/mock-plant-store.ts";
import { resolvePlant } from "../../service/options.ts";
import { type ControlClient, RefusedCallError } from "./control-client.ts";
import type {
  RemoteClientOptions,
  RemoteGate,
  RemoteInjectOptions,
  RemoteMockPlants,
  RemoteMockRequests,
  RemoteMockSession,
} from "./remote-mock-plant-store.ts";

/** A session as the control API describes it. */
export interface RemoteSessionInfo {
  readonly session: string;
  readonly baseUrl: string;
  readonly token: string;
}

interface SessionQuery extends Readonly<Record<string, string>> {
  readonly session: string;
}

/** A {@link RemoteMockSession}: each member is one control call. */
export class RemoteSession implements RemoteMockSession {
  readonly baseUrl: string;
  readonly token: string;
  readonly plants: RemoteMockPlants;
  readonly requests: RemoteMockRequests;
  readonly #control: ControlClient;
  readonly #query: SessionQuery;
  #isDisposed = false;

  constructor(control: ControlClient, { session, baseUrl, token }: RemoteSessionInfo) {
    this.baseUrl = baseUrl;
    this.token = token;
    this.#control = control;
    this.#query = { session };
    this.plants = new RemotePlants(control, this.#query);
    this.requests = new RemoteRequests(control, this.#query);
  }

  get clientOptions(): RemoteClientOptions {
    return clientOptionsFor(this.baseUrl, this.token);
  }

  async inject(fault: Fault, options?: RemoteInjectOptions): Promise<void> {
    const { times, when } = checkOptions(options, ["times", "when"]);
    if (typeof when === "function") {
      throw new TypeError("when: must be { id, name, tag }; a function cannot be sent to another process");
    }
    const wireTimes = times === Number.POSITIVE_INFINITY ? "unlimited" : times;
    await this.#control.call("injectFault", {
      query: this.#query,
      body: { fault, times: wireTimes, when: checkMatch(when) },
    });
  }

  async hold(): Promise<RemoteGate> {
    const { value } = await this.#control.call<{ gate: string }>("hold", { query: this.#query });
    return new HeldRemoteGate(this.#control, value.gate);
  }

  async reset(): Promise<void> {
    await this.#control.call("reset", { query: this.#query });
  }

  async verify(): Promise<void> {
    await this.#control.call("verify", { query: this.#query });
  }

  /** Disposing twice has no effect, as for a local session. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    try {
      await this.#control.call("disposeSession", { name: this.#query.session });
    } catch (error) {
      // 404: another client has disposed the session. 410: the mock has been restarted.
      if (!(error instanceof RefusedCallError) || ![404, 410].includes(error.status)) throw error;
    }
  }
}

/** The `error` value if the session has no such plant. */
const NO_PLANT_CODE = 40_400;

class RemotePlants implements RemoteMockPlants {
  readonly #control: ControlClient;
  readonly #query: SessionQuery;

  constructor(control: ControlClient, query: SessionQuery) {
    this.#control = control;
    this.#query = query;
  }

  get size(): Promise<number> {
    return this.#list({ last: "0" }).then(({ size }) => size);
  }

  async get(id: number | bigint): Promise<NewPlant | undefined> {
    if (!isInt64(id)) throw new TypeError("id: must be an int64, as a safe number or a bigint");
    try {
      return (await this.#control.call<NewPlant>("getPlant", { name: `${id}`, query: this.#query })).value;
    } catch (error) {
      if (error instanceof RefusedCallError && error.code === NO_PLANT_CODE) return undefined;
      throw error;
    }
  }

  async has(id: number | bigint): Promise<boolean> {
    return (await this.get(id)) !== undefined;
  }

  async add(plant: NewPlant): Promise<void> {
    await this.#control.call("addPlant", { query: this.#query, body: resolvePlant(plant, "plant") });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<NewPlant, undefined> {
    for (let after = 0; ; ) {
      const { plants } = await this.#list({ after: `${after}`, limit: "1000" });
      yield* plants;
      after += plants.length;
      if (plants.length < 1000) return;
    }
  }

  async #list(query: Readonly<Record<string, string>>): Promise<{ size: number; plants: NewPlant[] }> {
    type Listed = { size: number; plants: NewPlant[] };
    return (await this.#control.call<Listed>("listPlants", { query: { ...this.#query, ...query } })).value;
  }
}

interface RequestList {
  readonly count: number;
  readonly requests: (RecordedRequest & { readonly number: number })[];
}

class RemoteRequests implements RemoteMockRequests {
  readonly #control: ControlClient;
  readonly #query: SessionQuery;

  constructor(control: ControlClient, query: SessionQuery) {
    this.#control = control;
    this.#query = query;
  }

  get count(): Promise<number> {
    return this.#list({ last: "0" }).then(({ count }) => count);
  }

  get last(): Promise<RecordedRequest | undefined> {
    return this.#list({ last: "1" }).then(({ requests: [last] }) => {
      if (last === undefined) return undefined;
      const { number, ...request } = last;
      return request;
    });
  }

  async clear(): Promise<void> {
    await this.#control.call("clearRequests", { query: this.#query });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RecordedRequest, undefined> {
    for (let after = 0; ; ) {
      const { requests } = await this.#list({ after: `${after}`, limit: "1000" });
      for (const { number, ...request } of requests) {
        yield request;
        after = number;
      }
      if (requests.length < 1000) return;
    }
  }

  async #list(query: Readonly<Record<string, string>>): Promise<RequestList> {
    return (await this.#control.call<RequestList>("listRequests", { query: { ...this.#query, ...query } })).value;
  }
}

class HeldRemoteGate implements RemoteGate {
  readonly #control: ControlClient;
  readonly #gate: string;

  constructor(control: ControlClient, gate: string) {
    this.#control = control;
    this.#gate = gate;
  }

  async arrived(count: number): Promise<void> {
    const input = { name: this.#gate, query: { count: `${count}` } };
    while ((await this.#control.call("awaitArrival", input)).status === 202);
  }

  async release(): Promise<void> {
    await this.#control.call("releaseGate", { name: this.#gate });
  }
}

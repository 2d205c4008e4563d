import type { NewPlant } from "../../../src/contract/plant.ts";
import type { Fault } from "../../service/faults/fault.ts";
import type { RecordedRequest } from "../../service/mock-plant-store.ts";
import type { ControlClient } from "./control-client.ts";
import type {
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

  get clientOptions(): { baseUrl: string; token: string } {
    const { baseUrl, token } = this;
    return { baseUrl, token };
  }

  async inject(fault: Fault, { times, when }: RemoteInjectOptions = {}): Promise<void> {
    if (typeof when === "function") {
      throw new TypeError("when: must be { id, name, tag }: a function cannot go to the process of the mock");
    }
    const wireTimes = times === Number.POSITIVE_INFINITY ? "unlimited" : times;
    await this.#control.call("injectFault", { query: this.#query, body: { fault, times: wireTimes, when } });
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

  /** Disposing twice does no harm, as on a local session. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    await this.#control.call("disposeSession", { name: this.#query.session });
  }
}

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
    try {
      return (await this.#control.call<NewPlant>("getPlant", { name: `${id}`, query: this.#query })).value;
    } catch (error) {
      if ((error as { status?: number }).status === 404) return undefined;
      throw error;
    }
  }

  async has(id: number | bigint): Promise<boolean> {
    return (await this.get(id)) !== undefined;
  }

  async add(plant: NewPlant): Promise<void> {
    await this.#control.call("addPlant", { query: this.#query, body: plant });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<NewPlant, undefined> {
    yield* (await this.#list()).plants;
  }

  async #list(query?: { last: string }): Promise<{ size: number; plants: NewPlant[] }> {
    type Listed = { size: number; plants: NewPlant[] };
    return (await this.#control.call<Listed>("listPlants", { query: { ...this.#query, ...query } })).value;
  }
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
    return this.#list({ last: "1" }).then(({ requests }) => requests[0]);
  }

  async clear(): Promise<void> {
    await this.#control.call("clearRequests", { query: this.#query });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RecordedRequest, undefined> {
    yield* (await this.#list()).requests;
  }

  async #list(query?: { last: string }): Promise<{ count: number; requests: RecordedRequest[] }> {
    type Listed = { count: number; requests: RecordedRequest[] };
    return (await this.#control.call<Listed>("listRequests", { query: { ...this.#query, ...query } })).value;
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

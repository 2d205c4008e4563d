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

/** A {@link RemoteMockSession}: each member is one control call. */
export class RemoteSession implements RemoteMockSession {
  readonly baseUrl: string;
  readonly token: string;
  readonly plants: RemoteMockPlants;
  readonly requests: RemoteMockRequests;
  readonly #control: ControlClient;
  readonly #session: string;
  readonly #query: string;
  #isDisposed = false;

  constructor(control: ControlClient, { session, baseUrl, token }: RemoteSessionInfo) {
    this.baseUrl = baseUrl;
    this.token = token;
    this.#control = control;
    this.#session = session;
    this.#query = `session=${session}`;
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
    await this.#control.call("POST", `/faults?${this.#query}`, { fault, times: wireTimes, when });
  }

  async hold(): Promise<RemoteGate> {
    const { value } = await this.#control.call<{ gate: string }>("POST", `/gates?${this.#query}`);
    return new HeldRemoteGate(this.#control, value.gate);
  }

  async reset(): Promise<void> {
    await this.#control.call("POST", `/reset?${this.#query}`);
  }

  async verify(): Promise<void> {
    await this.#control.call("GET", `/verify?${this.#query}`);
  }

  /** Disposing twice does no harm, as on a local session. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    await this.#control.call("DELETE", `/sessions/${this.#session}`);
  }
}

class RemotePlants implements RemoteMockPlants {
  readonly #control: ControlClient;
  readonly #query: string;

  constructor(control: ControlClient, query: string) {
    this.#control = control;
    this.#query = query;
  }

  get size(): Promise<number> {
    return this.#list("&last=0").then(({ size }) => size);
  }

  async get(id: number | bigint): Promise<NewPlant | undefined> {
    try {
      return (await this.#control.call<NewPlant>("GET", `/plants/${id}?${this.#query}`)).value;
    } catch (error) {
      if ((error as { status?: number }).status === 404) return undefined;
      throw error;
    }
  }

  async has(id: number | bigint): Promise<boolean> {
    return (await this.get(id)) !== undefined;
  }

  async add(plant: NewPlant): Promise<void> {
    await this.#control.call("POST", `/plants?${this.#query}`, plant);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<NewPlant, undefined> {
    yield* (await this.#list()).plants;
  }

  async #list(query = ""): Promise<{ size: number; plants: NewPlant[] }> {
    return (await this.#control.call<{ size: number; plants: NewPlant[] }>("GET", `/plants?${this.#query}${query}`))
      .value;
  }
}

class RemoteRequests implements RemoteMockRequests {
  readonly #control: ControlClient;
  readonly #query: string;

  constructor(control: ControlClient, query: string) {
    this.#control = control;
    this.#query = query;
  }

  get count(): Promise<number> {
    return this.#list("&last=0").then(({ count }) => count);
  }

  get last(): Promise<RecordedRequest | undefined> {
    return this.#list("&last=1").then(({ requests }) => requests[0]);
  }

  async clear(): Promise<void> {
    await this.#control.call("DELETE", `/requests?${this.#query}`);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RecordedRequest, undefined> {
    yield* (await this.#list()).requests;
  }

  async #list(query = ""): Promise<{ count: number; requests: RecordedRequest[] }> {
    type Listed = { count: number; requests: RecordedRequest[] };
    return (await this.#control.call<Listed>("GET", `/requests?${this.#query}${query}`)).value;
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
    const path = `/gates/${this.#gate}/arrived?count=${count}`;
    while ((await this.#control.call("GET", path)).status === 202);
  }

  async release(): Promise<void> {
    await this.#control.call("POST", `/gates/${this.#gate}/release`);
  }
}

import { isInt64 } from "../../../src/contract/int64.ts";
import type { NewPlant } from "../../../src/contract/plant.ts";
import { checkFault } from "../faults/check-fault.ts";
import type { Fault } from "../faults/fault.ts";
import type {
  Fetch,
  Gate,
  InjectOptions,
  MockClientOptions,
  MockPlants,
  MockRequests,
  MockSession,
  RecordedRequest,
} from "../mock-plant-store.ts";
import { readPlant } from "../options.ts";
import type { Service } from "../service.ts";
import { copyPlant } from "./plant-rows.ts";
import type { Slot } from "./slots.ts";
import { verify } from "./verify.ts";

/** `Symbol.dispose`, also where the runtime has none yet: compiled `using` looks for the same stand-in. */
export const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** What a session is made of. */
export interface SessionParts {
  readonly service: Service;
  readonly slot: Slot;
  readonly token: string;
  readonly fetch: Fetch;
  /** Whether clients are to use the in-memory fetch, because nothing else brings their requests here. */
  readonly isInMemory: boolean;
}

/** A {@link MockSession}: what a test does with its slot of the service. */
export class Session implements MockSession {
  readonly token: string;
  readonly fetch: Fetch;
  readonly plants: MockPlants;
  readonly requests: MockRequests;
  readonly #service: Service;
  readonly #slot: Slot;
  readonly #isInMemory: boolean;

  constructor({ service, slot, token, fetch, isInMemory }: SessionParts) {
    this.token = token;
    this.fetch = fetch;
    this.plants = new SlotPlants(slot);
    this.requests = new SlotRequests(slot);
    this.#service = service;
    this.#slot = slot;
    this.#isInMemory = isInMemory;
  }

  get baseUrl(): string {
    return this.#service.baseUrl;
  }

  get clientOptions(): MockClientOptions {
    const { baseUrl, token, fetch } = this;
    return this.#isInMemory ? { baseUrl, token, fetch } : { baseUrl, token };
  }

  inject(fault: Fault, options: InjectOptions = {}): void {
    this.#checkOpen("inject");
    const checked = checkFault(fault);
    this.#service.checkAdapters(checked);
    this.#slot.state.faults.push(checked, options);
  }

  hold(): Gate {
    this.#checkOpen("hold");
    return this.#slot.state.hold();
  }

  reset(): void {
    this.#service.slots.reset(this.#slot);
  }

  verify(): void {
    verify(this.#slot.state);
  }

  [DISPOSE](): void {
    this.#service.slots.dispose(this.#slot);
  }

  #checkOpen(member: string): void {
    if (this.#slot.isClosed)
      throw new Error(`session.${member}: the session is disposed of; open another with mock.session()`);
  }
}

class SlotPlants implements MockPlants {
  readonly #slot: Slot;

  constructor(slot: Slot) {
    this.#slot = slot;
  }

  get size(): number {
    return this.#slot.state.plants.size;
  }

  get(id: number | bigint): NewPlant | undefined {
    if (!isInt64(id)) throw new TypeError("id: must be an int64, as a safe number or a bigint");
    const row = this.#slot.state.plants.get(id);
    return row && copyPlant(row);
  }

  has(id: number | bigint): boolean {
    return this.get(id) !== undefined;
  }

  add(plant: NewPlant): void {
    this.#slot.state.plants.push(readPlant(plant, "plant"));
  }

  [Symbol.iterator](): Iterator<NewPlant> {
    return this.#slot.state.plants[Symbol.iterator]();
  }
}

class SlotRequests implements MockRequests {
  readonly #slot: Slot;

  constructor(slot: Slot) {
    this.#slot = slot;
  }

  get count(): number {
    return this.#slot.state.journal.count;
  }

  get last(): RecordedRequest | undefined {
    return this.#slot.state.journal.last?.view;
  }

  clear(): void {
    this.#slot.state.journal.clear();
  }

  *[Symbol.iterator](): Generator<RecordedRequest, undefined> {
    for (const exchange of this.#slot.state.journal) yield exchange.view;
  }
}

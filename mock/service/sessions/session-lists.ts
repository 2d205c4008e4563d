import { describe } from "../../../src/checks/describe.ts";
import { isInt64 } from "../../../src/contract/int64.ts";
import type { NewPlant } from "../../../src/contract/plant.ts";
import type { MockPlants, MockRequests, RecordedRequest } from "../mock-plant-store.ts";
import { resolvePlant } from "../options.ts";
import { bigintAsText, INSPECT, newest } from "./inspect.ts";
import { checkOpen, type RegisteredSession } from "./session-registry.ts";

export class SessionPlants implements MockPlants {
  readonly #registered: RegisteredSession;

  constructor(registered: RegisteredSession) {
    this.#registered = registered;
  }

  get size(): number {
    return this.#registered.state.plants.size;
  }

  get(id: number | bigint): NewPlant | undefined {
    checkId(id);
    return this.#registered.state.plants.get(id);
  }

  has(id: number | bigint): boolean {
    checkId(id);
    return this.#registered.state.plants.has(id);
  }

  add(plant: NewPlant): void {
    checkOpen(this.#registered, "plants.add");
    this.#registered.state.plants.push(resolvePlant(plant, "plant"));
  }

  [Symbol.iterator](): Iterator<NewPlant> {
    return this.#registered.state.plants[Symbol.iterator]();
  }

  [INSPECT](): object {
    const { plants } = this.#registered.state;
    return newest(plants.size, (after, limit) => plants.page(after, limit));
  }

  /** For JSON.stringify and assertion diffs, which do not support bigint. */
  toJSON(): object {
    return asJson(this[INSPECT]());
  }
}

export class SessionRequests implements MockRequests {
  readonly #registered: RegisteredSession;

  constructor(registered: RegisteredSession) {
    this.#registered = registered;
  }

  get count(): number {
    return this.#registered.state.journal.count;
  }

  get last(): RecordedRequest | undefined {
    return this.#registered.state.journal.last?.view;
  }

  clear(): void {
    this.#registered.state.journal.clear();
  }

  *[Symbol.iterator](): Generator<RecordedRequest, undefined> {
    // A snapshot: a request that arrives during the iteration is not included.
    for (const entry of this.#registered.state.journal.page(0, Number.POSITIVE_INFINITY)) yield entry.view;
  }

  [INSPECT](): object {
    const { journal } = this.#registered.state;
    return newest(journal.count, (after, limit) => journal.page(after, limit).map(({ view }) => view));
  }

  /** For JSON.stringify and assertion diffs, which do not support bigint. */
  toJSON(): object {
    return asJson(this[INSPECT]());
  }
}

function asJson(value: object): object {
  return JSON.parse(JSON.stringify(value, bigintAsText));
}

/** @throws TypeError if the id of a plant to look up is not an int64. */
export function checkId(id: number | bigint): void {
  if (!isInt64(id)) throw new TypeError(`id: must be an int64, as a safe number or a bigint, not ${describe(id)}`);
}

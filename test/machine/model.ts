import { type CreatePlantResult, type NewPlant, PlantStoreClient } from "plant-store-client";
import { type Fault, faults, type Gate, type MockPlantStore, type MockSession } from "plant-store-client/mock";

/** A fault that the model injects, and its effect on one create. */
export interface Effect {
  readonly fault: Fault;
  readonly kind: string;
  readonly outcome: string;
  readonly isStored: boolean;
}

export const effects: readonly Effect[] = [
  { fault: faults.apiError(7, "no"), kind: "api", outcome: "rejected", isStored: false },
  { fault: faults.rateLimited(0), kind: "api", outcome: "rejected", isStored: false },
  { fault: faults.reply({ status: 500 }), kind: "response", outcome: "unknown", isStored: false },
  { fault: faults.networkError(), kind: "connection", outcome: "unknown", isStored: false },
  { fault: faults.lostResponse(), kind: "connection", outcome: "unknown", isStored: true },
  { fault: faults.truncatedBody(), kind: "connection", outcome: "unknown", isStored: true },
];

/** The expected state of one session. */
export interface SessionModel {
  /** Ids in the order of their creation. */
  readonly plants: number[];
  readonly effects: Effect[];
  requests: number;
  /** Plants held at the gate; one whose caller has disconnected may be stored or not. */
  held: { readonly id: number; readonly hasLeft: boolean }[] | undefined;
  /** Plants whose caller left while they stood at the gate. */
  readonly maybe: Set<number>;
}

export type Model = SessionModel[];

export function newSessionModel(): SessionModel {
  return { plants: [], effects: [], requests: 0, held: undefined, maybe: new Set() };
}

interface Held {
  readonly result: Promise<CreatePlantResult>;
  readonly controller: AbortController;
}

/** One session of the real thing. */
export class RealSession {
  readonly session: MockSession;
  readonly #client: PlantStoreClient;
  readonly #held: Held[] = [];
  #gate: Gate | undefined;

  constructor(session: MockSession) {
    this.session = session;
    this.#client = new PlantStoreClient({ ...session.clientOptions, maxRetries: 0 });
  }

  create(plant: NewPlant): Promise<CreatePlantResult> {
    return this.#client.tryCreatePlant(plant);
  }

  /** Starts a create that is held at the gate, and waits until it has arrived there. */
  async createAtGate(plant: NewPlant): Promise<void> {
    const controller = new AbortController();
    const result = this.#client.tryCreatePlant(plant, { signal: controller.signal });
    this.#held.push({ result, controller });
    await this.#gate?.arrived(this.#held.length);
  }

  hold(): void {
    this.#gate = this.session.hold();
  }

  release(): Promise<CreatePlantResult[]> {
    this.#gate?.release();
    return this.#endGate();
  }

  reset(): Promise<CreatePlantResult[]> {
    this.session.reset();
    return this.#endGate();
  }

  abort(index: number): Promise<CreatePlantResult> {
    const { result, controller } = this.#held[index] as Held;
    controller.abort();
    return result;
  }

  #endGate(): Promise<CreatePlantResult[]> {
    this.#gate = undefined;
    return Promise.all(this.#held.splice(0).map(({ result }) => result));
  }
}

export interface Real {
  readonly store: Pick<MockPlantStore, "session">;
  readonly sessions: RealSession[];
}

import type { NewPlant } from "../contract/plant.ts";

export type Plants = Iterable<NewPlant> | AsyncIterable<NewPlant>;

/** Boxed, for anything may be thrown. */
export interface Failure {
  readonly error: unknown;
}

export interface InputEvents {
  /** The input gave a plant. */
  plant(plant: NewPlant): void;
  /** The input came to its end, or threw. */
  over(failure?: Failure): void;
}

/** The plants to create, pulled one at a time, whether they come at once or later. */
export class Input {
  readonly #iterator: Iterator<NewPlant> | AsyncIterator<NewPlant>;
  readonly #events: InputEvents;
  #isOver = false;
  #isPulling = false;

  constructor(plants: Plants, events: InputEvents) {
    this.#events = events;
    this.#iterator = Symbol.asyncIterator in plants ? plants[Symbol.asyncIterator]() : plants[Symbol.iterator]();
  }

  /** It came to its end or threw: it needs no closing. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The plant that was asked for is still to come. */
  get isPulling(): boolean {
    return this.#isPulling;
  }

  pull(): void {
    try {
      const next = this.#iterator.next();
      // Not told by its class: a promise may be of another realm.
      if ("then" in next) void this.#pullLater(next);
      else this.#take(next);
    } catch (error) {
      this.#end({ error });
    }
  }

  async #pullLater(next: PromiseLike<IteratorResult<NewPlant>>): Promise<void> {
    this.#isPulling = true;
    try {
      const result = await next;
      this.#isPulling = false;
      this.#take(result);
    } catch (error) {
      this.#isPulling = false;
      this.#end({ error });
    }
  }

  #take(result: IteratorResult<NewPlant>): void {
    if (result.done) this.#end();
    else this.#events.plant(result.value);
  }

  #end(failure?: Failure): void {
    this.#isOver = true;
    this.#events.over(failure);
  }

  /** Tells the input that no more will be asked for. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const closing = this.#return();
    // An input that still waits for its next plant would not return before it has it.
    if (!this.#isPulling) return closing;
    closing.catch(() => {});
  }

  async #return(): Promise<void> {
    await this.#iterator.return?.();
  }
}

import type { NewPlant } from "../contract/plant.ts";
import type { CreatePlantResult } from "../plant-creator.ts";

/** The result of one plant of many, with the plant and its position in the input. */
export type CreatePlantsResult<Input extends NewPlant = NewPlant> = CreatePlantResult & {
  /** The plant that the input yielded. */
  readonly input: Input;
  /** 0 for the first plant of the input. */
  readonly index: number;
};

/** A thrown value, boxed because it may be `undefined`. */
export interface Thrown {
  readonly error: unknown;
}

type Item<Input extends NewPlant> = IteratorResult<CreatePlantsResult<Input>, undefined>;

/** Resolves the promise that the consumer waits for. */
type Consumer<Input extends NewPlant> = (item: Item<Input> | Promise<Item<Input>>) => void;

/**
 * The queue between run and consumer.
 *
 * Not an async generator, whose `return()` would wait for a pending `next()`, and before the first `next()` would not
 * close the input.
 */
export class Results<Input extends NewPlant> implements AsyncIterableIterator<CreatePlantsResult<Input>> {
  readonly #onDemand: () => void;
  readonly #onLeave: () => Promise<void>;
  #settled: CreatePlantsResult<Input>[] = [];
  readonly #consumers: Consumer<Input>[] = [];
  #isOver = false;
  /** Thrown once, after the last result. */
  #failure: Thrown | undefined;

  /**
   * @param onDemand - The consumer asks for a result: pulls everything that this allows.
   * @param onLeave - The consumer left; settles when all work has ended.
   */
  constructor(onDemand: () => void, onLeave: () => Promise<void>) {
    this.#onDemand = onDemand;
    this.#onLeave = onLeave;
  }

  /** The number of results not yet consumed. */
  get waiting(): number {
    return this.#settled.length;
  }

  /** Whether the consumer waits for a result. */
  get isWanted(): boolean {
    return this.#consumers.length > 0;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Item<Input>> {
    return new Promise((resolve) => {
      this.#consumers.push(resolve);
      this.#onDemand();
      this.#deliver();
    });
  }

  async return(): Promise<Item<Input>> {
    this.end();
    this.#settled = [];
    this.#failure = undefined;
    await this.#onLeave();
    return { done: true, value: undefined };
  }

  /** The consumer fails, such as a generator that delegates to this by `yield*`. */
  async throw(error: unknown): Promise<Item<Input>> {
    await this.return().catch(() => {});
    throw error;
  }

  push(result: CreatePlantsResult<Input>): void {
    if (this.#isOver) return;
    this.#settled.push(result);
    this.#deliver();
  }

  /** No more results follow: the queued ones are still delivered, then the failure is thrown. */
  end(failure?: Thrown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#deliver();
  }

  /** Gives each waiting consumer its result, if there is one. */
  #deliver(): void {
    while (this.#consumers.length > 0 && (this.#settled.length > 0 || this.#isOver)) {
      const value = this.#settled.shift();
      const consumer = this.#consumers.shift() as Consumer<Input>;
      if (value) consumer({ done: false, value });
      else {
        consumer(this.#failure ? Promise.reject(this.#failure.error) : { done: true, value: undefined });
        this.#failure = undefined;
      }
    }
  }
}

import type { CreatePlantResult, PlantCreator } from "../client.ts";
import type { NewPlant } from "../contract/plant.ts";
import { type CreatePlantsOptions, checkCreatePlantsOptions } from "../options.ts";
import { onAbort } from "../transport/abort.ts";

/** The result of one plant of many, with the plant and its place in the input. */
export type CreatePlantsResult = CreatePlantResult & {
  /** The plant as the input gave it. */
  readonly input: NewPlant;
  /** 0 for the first plant of the input. */
  readonly index: number;
};

/**
 * Creates many plants, and gives each result as it settles, not in the order of the input.
 *
 * The input is pulled only while fewer than `concurrency` plants are in flight or not yet consumed, so that memory does
 * not grow with it. When the signal is aborted, the plants in flight are aborted, each result is given, and then the
 * signal's reason is thrown; when the input throws, the plants in flight finish first. Leaving the loop early aborts
 * what is in flight, and waits for it.
 *
 * @param creator - A client, or whatever has its `tryCreatePlant`.
 * @param plants - The input, which may be endless.
 * @param options - How many at once, and a signal.
 * @returns Each result, with `input` and `index`.
 * @throws {@link PlantStoreConfigError} at once, where an option is wrong.
 * @throws The signal's reason, untouched; or what the input throws.
 *
 * @example
 * {@includeCode ../../docs/code/many-plants.ts#loop}
 */
export function createPlants(
  creator: Pick<PlantCreator, "tryCreatePlant">,
  plants: Iterable<NewPlant> | AsyncIterable<NewPlant>,
  options: CreatePlantsOptions = {},
): AsyncIterableIterator<CreatePlantsResult> {
  checkCreatePlantsOptions(options);
  return new Batch(creator, plants, options).results();
}

/** The state of one run: what was pulled, what is in flight, what waits for the consumer. */
class Batch {
  readonly #creator: Pick<PlantCreator, "tryCreatePlant">;
  readonly #input: Iterator<NewPlant> | AsyncIterator<NewPlant>;
  readonly #concurrency: number;
  readonly #signal: AbortSignal | undefined;
  readonly #abortion = new AbortController();

  #pulled = 0;
  #isPulling = false;
  #inFlight = 0;
  readonly #settled: CreatePlantsResult[] = [];
  /** Why no more is pulled; it is thrown when all that was sent is told. */
  #failure: { readonly error: unknown } | undefined;
  #isExhausted = false;
  #wake = () => {};

  constructor(
    creator: Pick<PlantCreator, "tryCreatePlant">,
    plants: Iterable<NewPlant> | AsyncIterable<NewPlant>,
    { concurrency = 16, signal }: CreatePlantsOptions,
  ) {
    this.#creator = creator;
    this.#input = Symbol.asyncIterator in plants ? plants[Symbol.asyncIterator]() : plants[Symbol.iterator]();
    this.#concurrency = concurrency;
    this.#signal = signal;
  }

  async *results(): AsyncGenerator<CreatePlantsResult, void, undefined> {
    const stop = () => this.#stop(this.#signal?.reason);
    const stopListening = this.#signal && onAbort(this.#signal, stop);
    if (this.#signal?.aborted) stop();
    try {
      for (;;) {
        this.#fill();
        const result = this.#settled.shift();
        if (result) yield result;
        else if (this.#inFlight > 0 || this.#mayPull()) await this.#change();
        else break;
      }
      if (this.#failure) throw this.#failure.error;
    } finally {
      stopListening?.();
      await this.#close();
    }
  }

  #mayPull(): boolean {
    return !this.#isExhausted && !this.#failure;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #stop(reason: unknown): void {
    this.#failure ??= { error: reason };
    this.#abortion.abort(reason);
    this.#wake();
  }

  #fill(): void {
    while (this.#mayPull() && !this.#isPulling && this.#inFlight + this.#settled.length < this.#concurrency) {
      try {
        const next = this.#input.next();
        // Not told by its class: a promise may be of another realm.
        if ("then" in next) void this.#pullLater(next);
        else this.#take(next);
      } catch (error) {
        this.#inputFailed(error);
      }
    }
  }

  async #pullLater(next: PromiseLike<IteratorResult<NewPlant>>): Promise<void> {
    this.#isPulling = true;
    try {
      this.#take(await next);
    } catch (error) {
      this.#inputFailed(error);
    }
    this.#isPulling = false;
    this.#wake();
  }

  #take(next: IteratorResult<NewPlant>): void {
    if (next.done) this.#isExhausted = true;
    // What a slow input gives after the end is not sent.
    else if (!this.#failure) void this.#send(next.value, this.#pulled++);
  }

  #inputFailed(error: unknown): void {
    this.#isExhausted = true;
    this.#failure ??= { error };
  }

  async #send(input: NewPlant, index: number): Promise<void> {
    this.#inFlight++;
    try {
      const result = await this.#creator.tryCreatePlant(input, { signal: this.#abortion.signal });
      this.#settled.push({ ...result, input, index });
    } catch (error) {
      // A client does not reject here; a creator that does would do so for each.
      this.#failure ??= { error };
    }
    this.#inFlight--;
    this.#wake();
  }

  async #closeInput(): Promise<void> {
    await this.#input.return?.();
  }

  /** Also after a `break`: nothing goes on behind the consumer's back. */
  async #close(): Promise<void> {
    const hasFailed = this.#failure !== undefined;
    this.#failure ??= { error: undefined };
    this.#abortion.abort();
    while (this.#inFlight > 0) await this.#change();
    if (this.#isExhausted) return;
    const closing = this.#closeInput();
    const quietly = closing.catch(() => {});
    // An input that still waits for its next plant would not return before it has it.
    if (this.#isPulling) return;
    // As in a `for` loop: what the input throws now must not hide why the run ended.
    await (hasFailed ? quietly : closing);
  }
}

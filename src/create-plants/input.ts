import { isPromise } from "../checks/describe.ts";
import { isPlain } from "../checks/schema.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { Thrown } from "./results.ts";

/** An array is an Iterable, too; named by itself, it lets the compiler point to the field of a plant that is wrong. */
export type Plants<Plant extends NewPlant> = readonly Plant[] | Iterable<Plant> | AsyncIterable<Plant>;

/** The input of a run, which gives one plant at a time. */
export class Input<Plant extends NewPlant> {
  /** It has ended or failed, and so needs no closing. */
  isOver = false;
  /** A plant is on its way. */
  isPending = false;
  readonly #iterator: Iterator<Plant> | AsyncIterator<Plant>;
  readonly #onPlant: (plant: Plant) => void;
  readonly #onEnd: (failure?: Thrown) => void;

  /** Opens the input; no plant is pulled yet. */
  constructor(plants: Plants<Plant>, onPlant: (plant: Plant) => void, onEnd: (failure?: Thrown) => void) {
    const { [Symbol.asyncIterator]: later } = plants as AsyncIterable<Plant>;
    this.#iterator = later ? later.call(plants) : (plants as Iterable<Plant>)[Symbol.iterator]();
    this.#onPlant = onPlant;
    this.#onEnd = onEnd;
  }

  /** Pulls the next plant, which an array gives at once. */
  pull(): void {
    try {
      const next = this.#iterator.next();
      if (!isPromise(next)) this.#read(next);
      else {
        this.isPending = true;
        Promise.resolve(next).then(
          (result) => this.#read(result),
          (error) => this.#end({ error }),
        );
      }
    } catch (error) {
      this.#end({ error });
    }
  }

  /** Reads what the iterator gave. If that cannot be read, the input has not ended, and is to be closed. */
  #read(result: IteratorResult<Plant>): void {
    this.isPending = false;
    try {
      // As in a `for await` loop. A number would otherwise count as a result, and the input would never end.
      if (Object(result) !== result) throw new TypeError(`Iterator result ${String(result)} is not an object`);
      const { done, value } = result;
      if (done) this.#end();
      // A generator may reuse one object for every plant.
      else this.#onPlant(isPlain(value) ? { ...value } : value);
    } catch (error) {
      this.#onEnd({ error });
    }
  }

  #end(failure?: Thrown): void {
    this.isPending = false;
    this.isOver = true;
    this.#onEnd(failure);
  }

  /**
   * Closes the input if it is not over, and returns what that throws. `return()` of an iterator whose plant is pending
   * settles only after that plant, and is not waited for.
   */
  async close(): Promise<Thrown | undefined> {
    if (this.isOver) return undefined;
    try {
      const closing = Promise.resolve(this.#iterator.return?.());
      if (this.isPending) closing.catch(() => {});
      else await closing;
      return undefined;
    } catch (error) {
      return { error };
    }
  }
}

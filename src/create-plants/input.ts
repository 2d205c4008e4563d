import { isPlain } from "../checks/schema.ts";
import type { NewPlant } from "../contract/plant.ts";

/** An array is an Iterable, too; named by itself, it lets the compiler point to the field of a plant that is wrong. */
export type Plants = readonly NewPlant[] | Iterable<NewPlant> | AsyncIterable<NewPlant>;

/** The plants to create, pulled one at a time from an iterable or async iterable. */
export class Input {
  /** It has ended or thrown, and so needs no closing. */
  isOver = false;
  isPulling = false;
  readonly #iterator: Iterator<NewPlant> | AsyncIterator<NewPlant>;

  constructor(plants: Plants) {
    const { [Symbol.asyncIterator]: later } = plants as AsyncIterable<NewPlant>;
    this.#iterator = later ? later.call(plants) : (plants as Iterable<NewPlant>)[Symbol.iterator]();
  }

  /**
   * Pulls the next plant; undefined at the end. A plain object is copied, because a generator may reuse one for every plant.
   *
   * @throws What the input throws.
   */
  async pull(): Promise<{ readonly plant: NewPlant } | undefined> {
    this.isPulling = true;
    try {
      const result: unknown = await this.#iterator.next();
      // As in a `for await` loop. A number would otherwise count as a result, and the input would never end.
      if (Object(result) !== result) throw new TypeError(`Iterator result ${String(result)} is not an object`);
      const { done, value } = result as IteratorResult<NewPlant>;
      this.isOver = done === true;
      return done ? undefined : { plant: isPlain(value) ? { ...value } : value };
    } catch (error) {
      this.isOver = true;
      throw error;
    } finally {
      this.isPulling = false;
    }
  }

  /** Closes the input: no more plants are pulled. */
  async close(): Promise<void> {
    if (this.isOver) return;
    const closing = Promise.resolve(this.#iterator.return?.());
    // `return()` of an input with a pending plant settles only after that plant.
    if (this.isPulling) closing.catch(() => {});
    else await closing;
  }
}

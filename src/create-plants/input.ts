import { isPlain } from "../checks/schema.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { Thrown } from "./results.ts";

/** An array is an Iterable, too; named by itself, it lets the compiler point to the field of a plant that is wrong. */
export type Plants = readonly NewPlant[] | Iterable<NewPlant> | AsyncIterable<NewPlant>;

/** What happens to the input. */
export interface InputEvents {
  /** The input yielded a plant. */
  plant(plant: NewPlant): void;
  /** The input ended or threw. */
  over(failure?: Thrown): void;
}

/** The plants to create, pulled one at a time from an iterable or async iterable. */
export class Input {
  /** It has ended or thrown, and so needs no closing. */
  isOver = false;
  isPulling = false;
  readonly #iterator: Iterator<NewPlant> | AsyncIterator<NewPlant>;
  readonly #events: InputEvents;

  constructor(plants: Plants, events: InputEvents) {
    this.#events = events;
    const { [Symbol.asyncIterator]: later } = plants as AsyncIterable<NewPlant>;
    this.#iterator = later ? later.call(plants) : (plants as Iterable<NewPlant>)[Symbol.iterator]();
  }

  pull(): void {
    try {
      const next = this.#iterator.next();
      // Not instanceof: a promise may be of another realm.
      if (Object(next) === next && "then" in next) void this.#pullLater(next);
      else this.#take(next as IteratorResult<NewPlant>);
    } catch (error) {
      this.#end({ error });
    }
  }

  async #pullLater(next: PromiseLike<IteratorResult<NewPlant>>): Promise<void> {
    this.isPulling = true;
    try {
      const result = await next;
      this.isPulling = false;
      this.#take(result);
    } catch (error) {
      this.#end({ error });
    }
  }

  /** A plain object is copied, because a generator may reuse one for every plant. */
  #take(result: IteratorResult<NewPlant>): void {
    // As in a `for await` loop. A number would otherwise count as a result, and the input would never end.
    if (Object(result) !== result) throw new TypeError(`Iterator result ${String(result)} is not an object`);
    const { done, value } = result;
    if (done) this.#end();
    else this.#events.plant(isPlain(value) ? { ...value } : value);
  }

  #end(failure?: Thrown): void {
    this.isOver = true;
    this.#events.over(failure);
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

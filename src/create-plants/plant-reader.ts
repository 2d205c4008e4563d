import type { Clock } from "../call/clock.ts";
import { isPromise } from "../checks/describe.ts";
import { isPlain } from "../checks/objects.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { Thrown } from "./results.ts";

/** An array is an Iterable, too; named by itself, it lets the compiler point to the field of a plant that is wrong. */
export type Plants<Plant extends NewPlant> = readonly Plant[] | Iterable<Plant> | AsyncIterable<Plant>;

/** Timers and sockets get a turn after this many plants: invalid ones need neither, and could starve them. */
const PLANTS_PER_TURN = 1_000;

/** Reads the input of a run, one plant at a time. */
export class PlantReader<Plant extends NewPlant> {
  /** Whether a plant can be pulled, is waited for (after a turn of the runtime, or as a promise), or none follows. */
  state: "idle" | "turn" | "pending" | "over" = "idle";
  #pulled = 0;
  readonly #iterator: Iterator<Plant> | AsyncIterator<Plant>;

  /** Opens the input; no plant is pulled yet. */
  constructor(
    plants: Plants<Plant>,
    private readonly clock: Clock,
    private readonly onPlant: (plant: Plant, index: number) => void,
    private readonly onEnd: (failure?: Thrown) => void,
  ) {
    const { [Symbol.asyncIterator]: later } = plants as AsyncIterable<Plant>;
    this.#iterator = later ? later.call(plants) : (plants as Iterable<Plant>)[Symbol.iterator]();
  }

  /** Pulls the next plant, which an array gives at once. */
  pull(): void {
    if (++this.#pulled % PLANTS_PER_TURN !== 0) {
      this.#next();
      return;
    }
    this.state = "turn";
    afterTurn(this.clock, () => this.#next());
  }

  #next(): void {
    if (this.state === "over") return;
    try {
      const next = this.#iterator.next();
      if (!isPromise(next)) this.#read(next);
      else {
        this.state = "pending";
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
    this.state = "idle";
    try {
      // As in a `for await` loop. A number would otherwise count as a result, and the input would never end.
      if (Object(result) !== result) throw new TypeError(`Iterator result ${String(result)} is not an object`);
      const { done, value } = result;
      if (done) this.#end();
      // A generator may reuse one object for every plant.
      else this.onPlant(copyOf(value), this.#pulled - 1);
    } catch (error) {
      this.onEnd({ error });
    }
  }

  #end(failure?: Thrown): void {
    this.state = "over";
    this.onEnd(failure);
  }

  /**
   * Closes the input if it is not over, and returns what that throws. `return()` of an iterator whose plant is pending
   * settles only after that plant, and is not waited for.
   */
  async close(): Promise<Thrown | undefined> {
    if (this.state === "over") return undefined;
    const isPending = this.state === "pending";
    this.state = "over";
    try {
      const closing = Promise.resolve(this.#iterator.return?.());
      if (isPending) closing.catch(() => {});
      else await closing;
      return undefined;
    } catch (error) {
      return { error };
    }
  }
}

/**
 * By a message, because a test may have replaced the timers and not advance them; its clock stands still meanwhile. React
 * Native and jsdom have no messages.
 */
function afterTurn(clock: Clock, callback: () => void): void {
  if (typeof MessageChannel === "undefined") {
    clock.after(0, callback);
    return;
  }
  const release = clock.hold?.("a turn of the runtime");
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    release?.();
    callback();
  };
  port2.postMessage(undefined);
}

/** A plain object is copied, unless it cannot be read: then the creator finds it invalid. */
function copyOf<Plant>(value: Plant): Plant {
  try {
    return isPlain(value) ? { ...value } : value;
  } catch {
    return value;
  }
}

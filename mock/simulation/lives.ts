import type { LifeClock } from "../time/life-clock.ts";
import { type AsyncStorage, createAsyncStorage } from "../time/runtime.ts";

/** Which simulations there are in the process, and which life runs: copies of this package share it. */
export class Lives {
  /** The life of the code that runs now, by its async context. A browser has none. */
  readonly #storage: AsyncStorage<LifeClock> | undefined = createAsyncStorage();
  /** The life that runs, for code whose context is not known. */
  current: LifeClock | undefined;
  /** Settles when the last simulation has ended. */
  last: Promise<unknown> = Promise.resolve();

  /** The clock of the life whose code runs now. */
  readonly find = (): LifeClock => (this.#storage?.getStore() ?? this.current) as LifeClock;

  /** Whether a scenario is running the code that asks. */
  get isWithin(): boolean {
    return this.#storage?.getStore()?.isOver === false;
  }

  /** Starts a life. */
  run<Result>(life: LifeClock, start: () => Result): Result {
    this.current = life;
    return this.#storage ? this.#storage.run(life, start) : start();
  }
}

const KEY = Symbol.for("plant-store-client.simulations");

/** The lives of this process. */
export function livesOfProcess(): Lives {
  const shared = globalThis as { [KEY]?: Lives };
  shared[KEY] ??= new Lives();
  return shared[KEY];
}

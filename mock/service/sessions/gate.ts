import { describe } from "../../../src/checks/describe.ts";
import { type Clock, randomName } from "../../time/clock.ts";
import type { Gate } from "../mock-plant-store.ts";
import type { RequestRecord } from "./request-record.ts";

/** A {@link Gate}: requests wait at it until it is released, or its session is reset. */
export class HeldGate implements Gate {
  /** The name of the gate in the control API. */
  readonly name: string;
  /** The requests that wait, each with what lets it continue. */
  readonly held = new Map<RequestRecord, () => void>();
  arrivedCount = 0;
  readonly #watchers = new Set<{ count: number; resolve: () => void; reject: (error: Error) => void }>();
  #onOpen: ((gate: HeldGate) => void) | undefined;
  #state: "closed" | "open" | "ended" = "closed";

  /** @param onOpen - Called when the gate stops holding requests. */
  constructor(clock: Clock, onOpen: (gate: HeldGate) => void) {
    this.name = randomName("gate", 8, clock);
    this.#onOpen = onOpen;
  }

  stop(record: RequestRecord): Promise<void> {
    this.arrivedCount++;
    for (const watcher of this.#watchers) {
      if (this.arrivedCount < watcher.count) continue;
      this.#watchers.delete(watcher);
      watcher.resolve();
    }
    return new Promise((resolve) => {
      this.held.set(record, resolve);
      record.onLeave(() => {
        this.held.delete(record);
        resolve();
      });
    });
  }

  arrived(count: number): Promise<void> {
    if (!Number.isInteger(count) || count < 1)
      throw new TypeError(`count: must be an integer from 1, not ${describe(count)}`);
    if (this.arrivedCount >= count) return Promise.resolve();
    if (this.#state !== "closed") return Promise.reject(this.#tooFew(count));
    const arrival = new Promise<void>((resolve, reject) => this.#watchers.add({ count, resolve, reject }));
    arrival.catch(() => {}); // If nothing awaits it any more, a reset must not cause an unhandled rejection.
    return arrival;
  }

  release(): void {
    this.#open("open");
  }

  /** Opens the gate because its session is reset. */
  end(): void {
    this.#open("ended");
  }

  #open(state: "open" | "ended"): void {
    if (this.#state !== "closed") return;
    this.#state = state;
    this.#onOpen?.(this);
    this.#onOpen = undefined; // It refers to the session, whose plants a gate that is kept must not keep.
    for (const watcher of this.#watchers) watcher.reject(this.#tooFew(watcher.count));
    this.#watchers.clear();
    for (const resume of this.held.values()) resume();
    this.held.clear();
  }

  #tooFew(count: number): Error {
    const reason = this.#state === "ended" ? "the session was reset" : "the gate was released";
    return new Error(
      `gate.arrived(${count}): ${reason} after ${this.arrivedCount} of ${count} requests; await arrived() first`,
    );
  }
}

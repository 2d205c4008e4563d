import type { Gate } from "../mock-plant-store.ts";
import type { JournalEntry } from "./journal-entry.ts";

/** A {@link Gate}: exchanges wait at it until it is released, or its session ends. */
export class HeldGate implements Gate {
  readonly #held = new Map<JournalEntry, () => void>();
  readonly #watchers = new Set<Watcher>();
  readonly #onOpen: (gate: HeldGate) => void;
  #arrived = 0;
  #state: "closed" | "open" | "ended" = "closed";

  /** @param onOpen - Called when no further request stops here. */
  constructor(onOpen: (gate: HeldGate) => void) {
    this.#onOpen = onOpen;
  }

  /** How many exchanges have stopped here. */
  get arrivedCount(): number {
    return this.#arrived;
  }

  /** The exchanges that wait. */
  get held(): Iterable<JournalEntry> {
    return this.#held.keys();
  }

  /** Stops an exchange until the gate opens. */
  stop(entry: JournalEntry): Promise<void> {
    this.#arrived++;
    for (const watcher of this.#watchers) {
      if (this.#arrived < watcher.count) continue;
      this.#watchers.delete(watcher);
      watcher.resolve();
    }
    return new Promise((resolve) => {
      this.#held.set(entry, resolve);
      entry.onLeave(() => {
        this.#held.delete(entry);
        resolve();
      });
    });
  }

  arrived(count: number): Promise<void> {
    if (!Number.isInteger(count) || count < 1) throw new TypeError("count: must be an integer from 1");
    if (this.#arrived >= count) return Promise.resolve();
    if (this.#state !== "closed") return Promise.reject(this.#tooFew(count));
    const promise = new Promise<void>((resolve, reject) => this.#watchers.add({ count, resolve, reject }));
    promise.catch(() => {}); // One that nobody awaits any more must not fail the test run if a reset rejects it.
    return promise;
  }

  release(): void {
    this.#open("open");
  }

  /** Ends the gate with its session. */
  end(): void {
    this.#open("ended");
  }

  #open(state: "open" | "ended"): void {
    if (this.#state !== "closed") return;
    this.#state = state;
    this.#onOpen(this);
    for (const watcher of this.#watchers) watcher.reject(this.#tooFew(watcher.count));
    this.#watchers.clear();
    for (const resume of this.#held.values()) resume();
    this.#held.clear();
  }

  #tooFew(count: number): Error {
    const reason = this.#state === "ended" ? "a reset ended the gate" : "the gate was released";
    return new Error(`gate.arrived(${count}): ${reason} after ${this.#arrived} requests; wait before that`);
  }
}

interface Watcher {
  readonly count: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

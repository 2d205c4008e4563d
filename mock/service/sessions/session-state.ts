import type { RequestSession } from "../adapter.ts";
import { FaultQueue } from "../faults/fault-queue.ts";
import type { ResolvedOptions } from "../options.ts";
import type { Limiter } from "../rate-limit/limiters.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { HeldGate } from "./gate.ts";
import { Journal } from "./journal.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { Problems } from "./problems.ts";
import { SeededPlants } from "./seeded-plants.ts";

/** The state of a session between two resets. A request that is open during a reset continues in the old state. */
export class SessionState implements RequestSession {
  /** The tokens of the session; the root has none of its own. */
  readonly tokens: ReadonlySet<string> | undefined;
  readonly plants: SeededPlants;
  readonly journal: Journal;
  readonly limiter: Limiter | undefined;
  readonly faults = new FaultQueue();
  readonly gates = new Set<HeldGate>();
  readonly problems = new Problems();
  /** How many gates were released before a request arrived. */
  unreachedGates = 0;
  readonly #waiting = new Map<() => void, JournalEntry>();
  readonly #callbacks = new Set<() => void>();
  #isOver = false;

  constructor(tokens: ReadonlySet<string> | undefined, options: ResolvedOptions, journalBudget: ByteBudget) {
    this.tokens = tokens;
    this.plants = new SeededPlants(options.seed);
    this.journal = new Journal(options.journalLimit, options.journalLimitBytes, journalBudget);
    this.limiter = options.rateLimit?.createLimiter();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  onEnd(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  hold(): HeldGate {
    const gate = new HeldGate((opened) => {
      this.gates.delete(opened);
      if (opened.arrivedCount === 0) this.unreachedGates++;
    });
    this.gates.add(gate);
    return gate;
  }

  /** Holds a request at every closed gate. */
  async passGates(entry: JournalEntry): Promise<void> {
    await Promise.all([...this.gates].map((gate) => gate.stop(entry)));
  }

  /** The requests that wait in a fault. */
  get waiting(): Iterable<JournalEntry> {
    return this.#waiting.values();
  }

  /** Waits for a number of milliseconds (forever by default), or until a reset, or until the client disconnects. */
  wait(entry: JournalEntry, ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.#waiting.delete(resume);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(resume, ms);
      this.#waiting.set(resume, entry);
      entry.onLeave(resume);
    });
  }

  /** Ends every wait. */
  end(): void {
    this.#isOver = true;
    for (const callback of this.#callbacks) callback();
    for (const gate of this.gates) gate.end();
    for (const resume of this.#waiting.keys()) resume();
    this.journal.clear();
  }
}

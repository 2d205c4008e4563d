import { InjectedFaults } from "../faults/injected-faults.ts";
import type { Limiter } from "../rate-limit.ts";
import type { ResolvedOptions } from "../resolve-options.ts";
import { PlantList } from "../stored-plants.ts";
import { HeldGate } from "./gate.ts";
import { RecordedRequests } from "./recorded-requests.ts";
import type { RequestRecord } from "./request-record.ts";

/** The state of a session between two resets. A request that is open during a reset continues in the old state. */
export class SessionState {
  /** The tokens of the session; the root has none of its own. */
  readonly tokens: ReadonlySet<string> | undefined;
  readonly plants: PlantList;
  readonly requests: RecordedRequests;
  readonly faults: InjectedFaults;
  readonly limiter: Limiter | undefined;
  readonly gates = new Set<HeldGate>();
  readonly problems = new Problems();
  /** How many gates were released before a request arrived. */
  unreachedGates = 0;
  /** What lets each request continue that waits in a fault. */
  readonly waiting = new Set<() => void>();
  /** Called when a reset ends it. */
  readonly onEnd = new Set<() => void>();
  /** Whether a reset has ended it. */
  isOver = false;
  readonly #options: ResolvedOptions;

  constructor(tokens: ReadonlySet<string> | undefined, options: ResolvedOptions) {
    this.#options = options;
    this.tokens = tokens;
    this.plants = new PlantList(options.initialPlants);
    this.requests = new RecordedRequests(options.maxRecordedRequests);
    this.faults = new InjectedFaults(options.clock);
    this.limiter = options.rateLimit?.createLimiter();
  }

  hold(): HeldGate {
    const gate = new HeldGate(this.#options.clock, (opened) => {
      this.gates.delete(opened);
      if (opened.arrivedCount === 0) this.unreachedGates++;
    });
    this.gates.add(gate);
    return gate;
  }

  /** Holds a request at every closed gate. */
  async passGates(record: RequestRecord): Promise<void> {
    // Virtual time waits for the test that releases the gate.
    const release = this.#options.virtualClock?.hold("a gate that holds a request");
    await Promise.all([...this.gates].map((gate) => gate.stop(record)));
    release?.();
  }

  /** Waits for a number of milliseconds (forever by default), or until a reset, or until the client disconnects. */
  wait(record: RequestRecord, ms?: number): Promise<void> {
    const { clock } = this.#options;
    // A function in `auth.tokens` may have reset the session just now.
    if (this.isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const resume = () => {
        if (timer !== undefined) clock.cancel(timer);
        this.waiting.delete(resume);
        resolve();
      };
      const timer = ms === undefined ? undefined : clock.after(ms, resume);
      this.waiting.add(resume);
      record.onLeave(resume);
    });
  }

  /** Ends every wait. */
  end(): void {
    this.isOver = true;
    for (const callback of this.onEnd) callback();
    for (const gate of this.gates) gate.end();
    for (const resume of this.waiting) resume();
    this.requests.clear();
  }
}

/** Problems for `verify` to report. A long run keeps only the first 20 different ones, and counts the others. */
export class Problems {
  readonly #counts = new Map<string, { fix: string; count: number }>();
  #unlisted = 0;

  add(problem: string, fix: string): void {
    const known = this.#counts.get(problem);
    if (known !== undefined) known.count++;
    else if (this.#counts.size < LISTED) this.#counts.set(problem, { fix, count: 1 });
    else this.#unlisted++;
  }

  /** One line per problem: the problem, its count, and the fix. */
  get lines(): string[] {
    const lines = [...this.#counts].map(([problem, { fix, count }]) => line(problem, fix, count));
    if (this.#unlisted > 0) lines.push(`and ${this.#unlisted} more problems like these`);
    return lines;
  }
}

/** How many problems of one kind a message lists; it counts the others. */
export const LISTED = 20;

function line(problem: string, fix: string, count: number): string {
  return `${problem}${count > 1 ? ` (${count} times)` : ""}: ${fix}`;
}

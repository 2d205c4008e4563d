import { InjectedFaults } from "../faults/injected-faults.ts";
import type { Limiter } from "../rate-limit.ts";
import type { ResolvedOptions } from "../resolve-options.ts";
import { HeldGate } from "./gate.ts";
import { PlantList } from "./plant-list.ts";
import { Problems } from "./problems.ts";
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
  readonly #options: ResolvedOptions;
  readonly #waiting = new Map<() => void, RequestRecord>();
  readonly #onEnd = new Set<() => void>();
  #isOver = false;

  constructor(tokens: ReadonlySet<string> | undefined, options: ResolvedOptions) {
    this.#options = options;
    this.tokens = tokens;
    this.plants = new PlantList(options.initialPlants);
    this.requests = new RecordedRequests(options.maxRecordedRequests);
    this.faults = new InjectedFaults(options.clock);
    this.limiter = options.rateLimit?.createLimiter();
  }

  /** Whether a reset has ended it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls back when a reset ends it, unless the callback was removed with {@link SessionState.offEnd}. */
  onEnd(callback: () => void): void {
    this.#onEnd.add(callback);
  }

  offEnd(callback: () => void): void {
    this.#onEnd.delete(callback);
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

  /** The requests that wait in a fault. */
  get waiting(): Iterable<RequestRecord> {
    return this.#waiting.values();
  }

  /** Waits for a number of milliseconds (forever by default), or until a reset, or until the client disconnects. */
  wait(record: RequestRecord, ms?: number): Promise<void> {
    const { clock } = this.#options;
    // A function in `auth.tokens` may have reset the session just now.
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const resume = () => {
        if (timer !== undefined) clock.cancel(timer);
        this.#waiting.delete(resume);
        resolve();
      };
      const timer = ms === undefined ? undefined : clock.after(ms, resume);
      this.#waiting.set(resume, record);
      record.onLeave(resume);
    });
  }

  /** Ends every wait. */
  end(): void {
    this.#isOver = true;
    for (const callback of this.#onEnd) callback();
    for (const gate of this.gates) gate.end();
    for (const resume of this.#waiting.keys()) resume();
    this.requests.clear();
  }
}

import { MAX_TIMER_MS } from "../checks/rules.ts";
import type { NewPlant } from "../contract/plant.ts";
import { PlantStoreAbortError } from "../errors.ts";
import type { CreatePlantResult, PlantCreator } from "../plant-creator.ts";
import { abortReason, isAborted, onAbort } from "../transport/abort.ts";
import type { Clock, Timer } from "../transport/clock.ts";
import { Input, type Plants, type Thrown } from "./input.ts";
import type { CreatePlantsOptions } from "./options.ts";
import { PaceReporter } from "./pace-reporter.ts";
import { PacedCall, type RunContext } from "./paced-call.ts";
import { Pacer } from "./pacer.ts";
import { Results } from "./results.ts";

/** One run over an input: its queue, its requests in flight, and its end. */
export class Run {
  readonly results: Results;
  readonly #context: RunContext;
  readonly #input: Input;
  readonly #clock: Clock;
  readonly #concurrency: number;
  readonly #maxWaitMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #controller = new AbortController();
  readonly #pacer: Pacer;
  readonly #reporter: PaceReporter | undefined;

  /** The calls of plants that wait for their turn, in the order of their turns. */
  readonly #queue: PacedCall[] = [];
  #pulled = 0;
  #inFlight = 0;
  /** Why the run sends no more; thrown after the last result. */
  #failure: Thrown | undefined;
  #state: "new" | "running" | "over" = "new";
  #isContinuing = false;
  #timer: Timer | undefined;
  #stopListening: (() => void) | undefined;
  /** Settles when all work has ended, with the error if closing the input failed. */
  readonly #finished: Promise<Thrown | undefined>;
  #resolveFinished!: (closing: Thrown | undefined) => void;

  constructor(
    creator: Pick<PlantCreator, "tryCreatePlant">,
    plants: Plants,
    { concurrency = 16, signal, maxWaitMs = 600_000, onPace }: CreatePlantsOptions,
    clock: Clock,
  ) {
    this.#clock = clock;
    this.#concurrency = concurrency;
    this.#signal = signal;
    this.#maxWaitMs = maxWaitMs;
    this.#pacer = new Pacer(concurrency, () => clock.random());
    this.#reporter = onPace && new PaceReporter(this.#pacer, clock, onPace);
    this.#context = {
      creator,
      signal: this.#controller.signal,
      mayStart: () => this.#pacer.pausedUntil <= clock.now(),
    };
    this.#finished = new Promise((resolve) => {
      this.#resolveFinished = resolve;
    });
    this.#input = new Input(plants, {
      plant: (plant) => this.#take(plant),
      over: (failure) => (failure ? this.#end(failure) : this.#continue()),
    });
    this.results = new Results({ onDemand: () => this.#start(), onLeave: () => this.#leave() });
  }

  #start(): void {
    if (this.#state === "new") {
      this.#state = "running";
      const signal = this.#signal;
      const abort = () => this.#abort({ error: abortReason(signal) });
      if (isAborted(signal)) abort();
      else this.#stopListening = signal && onAbort(signal, abort);
    }
    this.#continue();
  }

  /** The consumer left: no work continues. */
  async #leave(): Promise<void> {
    const hasFailed = this.#failure !== undefined;
    this.#abort({ error: undefined });
    const closing = await this.#finished;
    // As in a `for` loop, an error of closing the input must not hide why the run ended.
    if (closing && !hasFailed) throw closing.error;
  }

  #abort(failure: Thrown): void {
    this.#end(failure);
    this.#controller.abort(failure.error);
  }

  /** Sends no more. Plants that wait for their turn get their last result. */
  #end(failure: Thrown): void {
    this.#failure ??= failure;
    for (const call of this.#queue.splice(0)) this.#settle(call, call.last ?? neverSent(this.#failure.error));
    this.#continue();
  }

  #settle({ input, index }: PacedCall, result: CreatePlantResult): void {
    this.results.push({ ...result, input, index });
  }

  /** Does everything that is possible now. A timer, a request, the input or the consumer calls it again for the rest. */
  #continue(): void {
    // The loop below handles synchronous events of its own steps.
    if (this.#isContinuing) return;
    this.#isContinuing = true;
    this.#clock.cancel(this.#timer);
    while (this.#hasWork()) {
      if (this.#isFirstDeferred()) {
        this.#input.pull();
        continue;
      }
      const waitMs = this.#pacer.waitMs(this.#clock.now());
      if (waitMs > 0) {
        this.#continueAfter(waitMs);
        break;
      }
      const call = this.#queue.shift();
      if (call) void this.#send(call);
      else this.#input.pull();
    }
    this.#isContinuing = false;
    if (this.#inFlight + this.#queue.length === 0 && (this.#failure || this.#input.isOver)) void this.#finish();
  }

  #hasWork(): boolean {
    if (this.#failure) return false;
    return this.#queue.length > 0 || this.#mayPull();
  }

  #mayPull(): boolean {
    if (this.#input.isOver || this.#input.isPulling || !this.results.isWanted) return false;
    return this.#inFlight + this.results.waiting < this.#concurrency;
  }

  /** Whether another plant may be pulled first, because the first of the queue has been refused repeatedly. */
  #isFirstDeferred(): boolean {
    const [first] = this.#queue;
    if (!first || first.turn <= this.#pulled) return false;
    return this.#inFlight + this.#queue.length < Math.max(2, this.#concurrency) && this.#mayPull();
  }

  /** @param waitMs - Infinity until a request in flight has settled, which continues the run without a timer. */
  #continueAfter(waitMs: number): void {
    if (waitMs === Number.POSITIVE_INFINITY) return;
    this.#timer = this.#clock.after(Math.min(waitMs, MAX_TIMER_MS), () => this.#continue());
  }

  #take(input: NewPlant): void {
    // A plant that a slow input yields after the end is not sent.
    if (this.#failure) return;
    this.#enqueue(new PacedCall(this.#context, input, this.#pulled++));
    this.#continue();
  }

  async #send(call: PacedCall): Promise<void> {
    this.#inFlight++;
    const generation = this.#pacer.started(this.#clock.now());
    this.#reporter?.report();
    try {
      const { answer, result } = call.judge(await call.try());
      this.#inFlight--;
      this.#pacer.settled(generation, this.#clock.now(), answer);
      this.#reporter?.report();
      if (result) this.#settle(call, result);
      else this.#putBack(call, answer !== "unsent");
    } catch (error) {
      // A client never rejects here. A creator that rejects would do so for every plant.
      this.#inFlight--;
      this.#end({ error });
    }
    this.#continue();
  }

  #putBack(call: PacedCall, isRefused: boolean): void {
    const now = this.#clock.now();
    if (isRefused) {
      if (++call.refusals === 1) {
        call.refusedSince = now;
        call.admissions = this.#pacer.admissions;
      }
      // The service may refuse this plant alone: each time after the second, twice as many others go first.
      if (call.refusals > 2) call.turn = this.#pulled + 2 ** (call.refusals - 3);
    }
    const { last } = call;
    const { pausedUntil, refusedSince, admissions } = this.#pacer;
    const isTooLong = (since: number) => pausedUntil - since > this.#maxWaitMs;
    // The plant is refused alone if others were admitted since its first refusal. But too long a Retry-After holds up all.
    const isAlone = call.turn > call.index && call.admissions < admissions && !isTooLong(now);
    if (last && isAlone && isTooLong(call.refusedSince)) {
      this.#settle(call, last);
      return;
    }
    this.#enqueue(call);
    // The signal or the input may have ended the run in the meantime.
    if (this.#failure) this.#end(this.#failure);
    else if (last && isTooLong(refusedSince)) this.#end({ error: last.error });
  }

  #enqueue(call: PacedCall): void {
    this.#queue.push(call);
    this.#queue.sort((a, b) => a.turn - b.turn);
  }

  async #finish(): Promise<void> {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#stopListening?.();
    const closing = await this.#input.close().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    this.results.end(this.#failure);
    this.#resolveFinished(closing);
  }
}

function neverSent(cause: unknown): CreatePlantResult {
  const error = new PlantStoreAbortError({ message: "The plant was not sent: the run ended before its turn", cause });
  return { ok: false, error, attempts: error.attempts };
}

import { abortReason, onAbort } from "../call/abort.ts";
import { CLOCK, type Clock, systemClock, type Timer } from "../call/clock.ts";
import { kindOf } from "../checks/describe.ts";
import { MAX_TIMER_MS } from "../checks/rules.ts";
import type { NewPlant } from "../contract/plant.ts";
import { PlantStoreAbortError } from "../errors.ts";
import type { CreatePlantResult, PlantCreator } from "../plant-creator.ts";
import { Input, type Plants } from "./input.ts";
import { answerOf, Job } from "./job.ts";
import type { CreatePlantsOptions } from "./options.ts";
import { PaceReporter } from "./pace-reporter.ts";
import { type Answer, Pacer } from "./pacer.ts";
import { Results, type Thrown } from "./results.ts";

/** One run over an input: its queue, its requests in flight, and its end. */
export class Run {
  readonly results: Results;
  readonly #creator: Pick<PlantCreator, "tryCreatePlant">;
  readonly #input: Input;
  readonly #clock: Clock;
  readonly #concurrency: number;
  readonly #maxWaitMs: number;
  readonly #maxRetries: number;
  readonly #signal: AbortSignal | undefined;
  readonly #controller = new AbortController();
  readonly #pacer: Pacer;
  readonly #reporter: PaceReporter | undefined;

  /** The plants that wait to be sent. */
  readonly #queue: Job[] = [];
  /** The plant that was sent last. */
  #last: Job | undefined;
  #pulled = 0;
  #inFlight = 0;
  /** Why the run sends no more; thrown after the last result. */
  #failure: Thrown | undefined;
  #state: "new" | "running" | "over" = "new";
  #isContinuing = false;
  #release: (() => void) | undefined;
  #timer: Timer | undefined;
  #stopListening: (() => void) | undefined;
  /** Settles when all work has ended, with the error if closing the input failed. */
  readonly #finished: Promise<Thrown | undefined>;
  #resolveFinished!: (closing: Thrown | undefined) => void;

  constructor(creator: Pick<PlantCreator, "tryCreatePlant">, plants: Plants, options: CreatePlantsOptions) {
    const { [CLOCK]: clientClock = systemClock } = creator as { readonly [CLOCK]?: Clock };
    const { concurrency = 16, signal, maxWaitMs = 600_000, maxRetries = 2, clock = clientClock, onPace } = options;
    this.#creator = creator;
    this.#clock = clock;
    this.#concurrency = concurrency;
    this.#signal = signal;
    this.#maxWaitMs = maxWaitMs;
    this.#maxRetries = maxRetries;
    this.#pacer = new Pacer(concurrency, () => clock.random());
    this.#reporter = onPace && new PaceReporter(this.#pacer, clock, onPace);
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
      if (signal?.aborted) abort();
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

  /** Sends no more. Plants that wait to be sent get their last result. */
  #end(failure: Thrown): void {
    this.#failure ??= failure;
    for (const job of this.#queue.splice(0)) this.#settle(job, job.last ?? neverSent(this.#failure.error));
    this.#continue();
  }

  #settle({ input, index }: Job, result: CreatePlantResult): void {
    this.results.push({ ...result, input, index });
  }

  /** Does everything that is possible now. A timer, a request, the input or the consumer calls it again for the rest. */
  #continue(): void {
    // The loop below handles synchronous events of its own steps.
    if (this.#isContinuing) return;
    this.#isContinuing = true;
    this.#clock.cancel(this.#timer);
    while (!this.#failure && (this.#queue.length > 0 || this.#mayPull())) {
      const waitMs = this.#pacer.waitMs(this.#clock.now());
      if (waitMs > 0) {
        this.#continueAfter(waitMs);
        break;
      }
      if (this.#isNextNew()) this.#input.pull();
      else void this.#send(this.#queue.shift() as Job);
    }
    this.#isContinuing = false;
    this.#holdClock();
    if (this.#inFlight + this.#queue.length === 0 && (this.#failure || this.#input.isOver)) void this.#finish();
  }

  /** Whether a plant of the input is next. After its third try, one lets another go first: it may be refused alone. */
  #isNextNew(): boolean {
    const [first, second] = this.#queue;
    if (first === undefined) return true;
    return first === this.#last && first.tries > 2 && second === undefined && this.#mayPull();
  }

  /** Holds a test's clock for an input that takes real time; not while other plants are on their way: it may await them. */
  #holdClock(): void {
    const isWaiting = this.#input.isPulling && this.#inFlight + this.#queue.length === 0 && !this.#failure;
    if (isWaiting) this.#release ??= this.#clock.hold?.("the input of createPlants");
    else {
      this.#release?.();
      this.#release = undefined;
    }
  }

  #mayPull(): boolean {
    if (this.#input.isOver || this.#input.isPulling || !this.results.isWanted) return false;
    return this.#inFlight + this.results.waiting < this.#concurrency;
  }

  /** @param waitMs - Infinity until a request in flight has settled, which continues the run without a timer. */
  #continueAfter(waitMs: number): void {
    if (waitMs === Number.POSITIVE_INFINITY) return;
    this.#timer = this.#clock.after(Math.min(waitMs, MAX_TIMER_MS), () => this.#continue());
  }

  #take(plant: NewPlant): void {
    // A plant that a slow input yields after the end is not sent.
    if (!this.#failure) this.#queue.unshift(new Job(plant, this.#pulled++));
    this.#continue();
  }

  async #send(job: Job): Promise<void> {
    this.#inFlight++;
    job.tries++;
    this.#last = job;
    const generation = this.#pacer.started(this.#clock.now());
    this.#reporter?.report();
    try {
      const options = { signal: this.#controller.signal, maxRetries: 0 };
      const result = await this.#creator.tryCreatePlant(job.input, options);
      // A wrapper in an application may forget to return the result, or return a plant.
      if (typeof result?.ok !== "boolean") throw wrongResult(result);
      const answer = answerOf(result);
      this.#inFlight--;
      this.#pacer.settled(generation, this.#clock.now(), answer);
      this.#reporter?.report();
      this.#after(job, job.add(result), answer);
    } catch (error) {
      // A client never rejects here. A creator that rejects would do so for every plant.
      this.#inFlight--;
      this.#end({ error });
    }
    this.#continue();
  }

  /** Settles a plant, or puts it back into the queue. */
  #after(job: Job, result: CreatePlantResult, answer: Answer): void {
    const setback = typeof answer === "object" ? answer : undefined;
    const mayRetry = setback?.isRefusal || (setback && job.retries++ < this.#maxRetries);
    if (setback?.isRefusal) job.refusedSince = Math.min(job.refusedSince, this.#clock.now());
    const isTooLong = (since: number) => this.#pacer.pausedUntil - since > this.#maxWaitMs;
    const isHopeless = setback !== undefined && isTooLong(this.#pacer.heldUpSince);
    // A plant that is refused for so long while others are admitted is refused alone.
    if (!mayRetry || isHopeless || this.#failure || isTooLong(job.refusedSince)) this.#settle(job, result);
    else this.#queue.push(job);
    if (isHopeless && !result.ok) this.#end({ error: result.error });
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

function wrongResult(received: unknown): TypeError {
  const expected = "tryCreatePlant of the creator must resolve to the result of the client's";
  return new TypeError(`${expected}; it resolved to ${kindOf(received)}: return the result`);
}

function neverSent(cause: unknown): CreatePlantResult {
  const error = new PlantStoreAbortError({ message: "The plant was not sent: the run ended before its turn", cause });
  return { ok: false, error, outcome: error.outcome, attempts: error.attempts };
}

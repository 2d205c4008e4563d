import type { NewPlant } from "../contract/plant.ts";
import { MAX_TIMER_MS } from "../contract/rules.ts";
import { PlantStoreAbortError } from "../errors.ts";
import type { CreatePlantResult, PlantCreator } from "../plant-creator.ts";
import { abortReason, isAborted, onAbort } from "../transport/abort.ts";
import type { Clock, Timer } from "../transport/clock.ts";
import { type Failure, Input, type Plants } from "./input.ts";
import type { CreatePlantsOptions } from "./options.ts";
import { PaceReporter } from "./pace-reporter.ts";
import { type CallContext, PacedCall, type Try } from "./paced-call.ts";
import { type Answer, Pacer } from "./pacer.ts";
import { Results } from "./results.ts";

/** A rate limit seldom refuses the same plant more often. */
const USUAL_REFUSALS = 2;

/** A pulled plant without a result. */
interface Job {
  readonly input: NewPlant;
  readonly index: number;
  readonly call: PacedCall;
  refusals: number;
  /** The time of its first refusal; Infinity before. */
  refusedSince: number;
  /** It may be sent once so many plants have been pulled. */
  turn: number;
}

/** One run over an input: its queue, its requests in flight, and its end. */
export class Run {
  readonly results: Results;
  readonly #context: CallContext;
  readonly #input: Input;
  readonly #clock: Clock;
  readonly #concurrency: number;
  readonly #maxWaitMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #controller = new AbortController();
  readonly #pacer: Pacer;
  readonly #reporter: PaceReporter | undefined;

  /** Plants that wait for their turn, in the order of their turns. */
  readonly #queue: Job[] = [];
  #pulled = 0;
  #inFlight = 0;
  /** Why the run sends no more; thrown after the last result. */
  #failure: Failure | undefined;
  #state: "new" | "running" | "over" = "new";
  #isContinuing = false;
  #timer: Timer | undefined;
  #stopListening: (() => void) | undefined;
  /** Settles when all work has ended, with the error if closing the input failed. */
  readonly #finished: Promise<Failure | undefined>;
  #resolveFinished!: (closing: Failure | undefined) => void;

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

  #abort(failure: Failure): void {
    this.#end(failure);
    this.#controller.abort(failure.error);
  }

  /** Sends no more. Plants that wait for their turn get their last result. */
  #end(failure: Failure): void {
    this.#failure ??= failure;
    for (const job of this.#queue.splice(0)) this.#settle(job, job.call.last ?? neverSent(this.#failure.error));
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
    this.#timer = undefined;
    while (this.#hasWork()) {
      if (this.#isFirstDeferred()) {
        this.#input.pull();
        continue;
      }
      if (!this.#isTurn()) break;
      const job = this.#queue.shift();
      if (job) void this.#send(job);
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

  #isTurn(): boolean {
    const waitMs = this.#pacer.waitMs(this.#clock.now());
    if (waitMs === 0) return true;
    if (waitMs < Number.POSITIVE_INFINITY) {
      this.#timer = this.#clock.after(Math.min(waitMs, MAX_TIMER_MS), () => this.#continue());
    }
    return false;
  }

  #take(input: NewPlant): void {
    // A plant that a slow input yields after the end is not sent.
    if (this.#failure) return;
    const index = this.#pulled++;
    const call = new PacedCall(this.#context, input);
    this.#enqueue({ input, index, call, refusals: 0, refusedSince: Number.POSITIVE_INFINITY, turn: index });
    this.#continue();
  }

  async #send(job: Job): Promise<void> {
    this.#inFlight++;
    const generation = this.#pacer.started(this.#clock.now());
    this.#reporter?.report();
    try {
      const tried = job.call.judge(await job.call.try());
      this.#inFlight--;
      this.#pacer.settled(generation, this.#clock.now(), answerOf(tried));
      this.#reporter?.report();
      if (tried.kind === "settled") this.#settle(job, tried.result);
      else this.#putBack(job, tried.kind);
    } catch (error) {
      // A client never rejects here. A creator that rejects would do so for every plant.
      this.#inFlight--;
      this.#end({ error });
    }
    this.#continue();
  }

  #putBack(job: Job, kind: "refused" | "held"): void {
    if (kind === "refused") {
      job.refusedSince = Math.min(job.refusedSince, this.#clock.now());
      // The service may refuse this plant alone: each time, twice as many others go first.
      const suspicious = ++job.refusals - USUAL_REFUSALS;
      if (suspicious > 0) job.turn = this.#pulled + 2 ** (suspicious - 1);
    }
    const { last } = job.call;
    if (last && this.#isRefusedAlone(job)) {
      this.#settle(job, last);
      return;
    }
    this.#enqueue(job);
    // The signal or the input may have ended the run in the meantime.
    if (this.#failure) this.#end(this.#failure);
    else if (last && this.#isTooLong(this.#pacer.refusedSince)) this.#end({ error: last.error });
  }

  /** Whether a plant has been refused for too long, and others were admitted in the meantime. */
  #isRefusedAlone({ refusals, refusedSince }: Job): boolean {
    if (refusals <= USUAL_REFUSALS || refusedSince >= this.#pacer.refusedSince) return false;
    // Too long a Retry-After holds up all plants.
    return this.#isTooLong(refusedSince) && !this.#isTooLong(this.#clock.now());
  }

  /** Whether the pause ends more than `maxWaitMs` after a time. */
  #isTooLong(since: number): boolean {
    return this.#pacer.pausedUntil - since > this.#maxWaitMs;
  }

  #enqueue(job: Job): void {
    this.#queue.push(job);
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

/** The meaning of a try for the pace. */
function answerOf(tried: Try): Answer {
  if (tried.kind === "refused") return { retryAfterMs: tried.retryAfterMs };
  if (tried.kind === "held") return "unsent";
  const { ok, attempts } = tried.result;
  if (ok || attempts.at(-1)?.status !== undefined) return "admitted";
  return attempts.length === 0 ? "unsent" : "unanswered";
}

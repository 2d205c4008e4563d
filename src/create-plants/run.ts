import { abortReason, onAbort } from "../call/abort.ts";
import { CLOCK, type Clock, systemClock } from "../call/clock.ts";
import { isPromise } from "../checks/describe.ts";
import { MAX_TIMER_MS } from "../checks/rules.ts";
import { type NewPlant, validateNewPlant } from "../contract/plant.ts";
import type { AnyPlantStoreError, Outcome } from "../errors.ts";
import type { PlantCreator } from "../plant-creator.ts";
import { answerOf, isMistake } from "./answer.ts";
import { changed, creatorFailed, interrupted, invalid, neverSent, readResult, withUnsent } from "./failures.ts";
import { closeInput, openInput, type PlantIterator, type Plants, readYielded } from "./input.ts";
import { addTry, createJob, type FailedResult, type Job } from "./job.ts";
import { Claims, type JournalState, plantOf } from "./journal.ts";
import type { RunOptions } from "./options.ts";
import { createPaceReporter } from "./pace-reporter.ts";
import { type Answer, Pacer } from "./pacer.ts";
import { type CreatePlantsResult, Results, type Thrown } from "./results.ts";
import { turn } from "./turn.ts";

/** Timers and sockets get a turn after this many plants: invalid ones need neither, and could starve them. */
const PLANTS_PER_TURN = 1_000;

/** How long the service may refuse or fail, without `maxWaitMs`. */
const MAX_WAIT_MS = 600_000;
/** The failed probes, some ten seconds, after which an outage from the first request on is taken for a mistake. */
const PROBES_OF_A_MISTAKE = 5;
/** If a timer is late by more than this, the process was suspended. */
const SUSPENDED_MS = 1_000;

/** Why a run sends no more; thrown after the last result. */
interface Failure extends Thrown {
  /** It is the error of a plant, which the result of that plant has, too. */
  readonly isOfPlant?: boolean;
}

/** One run over an input: its queue, its requests in flight, and its end. */
export class Run<Input extends NewPlant> {
  readonly results: Results<Input>;
  readonly #creator: Pick<PlantCreator, "tryCreatePlant">;
  readonly #input: PlantIterator<Input>;
  readonly #options: RunOptions<Input>;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #pacer: Pacer;
  /** Undefined without a journal. */
  readonly #claims: Claims<Input> | undefined;
  readonly #report: ((trouble?: AnyPlantStoreError) => void) | undefined;

  #state: "new" | "idle" | "busy" | "over" = "new";
  /** The plants that wait to be sent. */
  readonly #queue: Job<Input>[] = [];
  /** The plant that was sent last. */
  #last: Job<Input> | undefined;
  #pulled = 0;
  #isPulling = false;
  /** The input has ended or thrown, and so needs no closing. */
  #isInputOver = false;
  #inFlight = 0;
  #failure: Failure | undefined;
  /** Plants that the end of the run left unsent. */
  #unsent = 0;
  /** How long the process was suspended, as far as a timer has shown it. */
  #suspendedMs = 0;
  /** Ends what an idle run waits for. */
  #stopWaiting: (() => void) | undefined;
  #stopListening: (() => void) | undefined;
  #resolveClosed!: (closing: Thrown | undefined) => void;
  /** Settles when all work has ended, with the error if closing the input failed. */
  readonly #closed = new Promise<Thrown | undefined>((resolve) => {
    this.#resolveClosed = resolve;
  });

  constructor(creator: Pick<PlantCreator, "tryCreatePlant">, plants: Plants<Input>, options: RunOptions<Input>) {
    const { [CLOCK]: clientClock = systemClock } = creator as { readonly [CLOCK]?: Clock };
    const { concurrency, clock = clientClock, journal, onPace } = options;
    this.#creator = creator;
    this.#input = openInput(plants);
    this.#options = options;
    this.#clock = clock;
    this.#pacer = new Pacer(concurrency, () => clock.random());
    this.#claims = journal && new Claims(journal, clock);
    this.#report = onPace && createPaceReporter(this.#pacer, clock, onPace);
    this.results = new Results(
      () => this.#start(),
      () => this.#leave(),
    );
  }

  get #isDone(): boolean {
    return this.#inFlight + this.#queue.length === 0 && (this.#isInputOver || this.#failure !== undefined);
  }

  /** The consumer asks for a result. */
  #start(): void {
    if (this.#state === "new") {
      this.#state = "idle";
      const { signal } = this.#options;
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
    this.#start();
    const closing = await this.#closed;
    // As in a `for` loop, an error of closing the input must not hide why the run ended.
    if (closing && !hasFailed) throw closing.error;
  }

  /** Sends all that may be sent now. Called at each change: a loop of its own would have to be woken for every plant. */
  #continue(): void {
    if (this.#state === "busy") return;
    if (this.#state === "idle") {
      this.#state = "busy";
      this.#stopWaiting?.();
      this.#stopWaiting = undefined;
      let waitMs = this.#waitMs();
      for (; waitMs <= 0; waitMs = this.#waitMs()) {
        if (!this.#isNextNew()) this.#sendAgain(this.#queue.shift() as Job<Input>);
        else {
          this.#pull();
          if ((this.#pulled + 1) % PLANTS_PER_TURN === 0) {
            this.#takeTurn();
            return;
          }
        }
      }
      this.#state = "idle";
      if (this.#isDone) void this.#finish();
      else this.#wait(waitMs);
    }
    this.results.deliver();
  }

  /** Continues after a turn of the runtime. */
  #takeTurn(): void {
    void turn(this.#clock).then(() => {
      this.#state = "idle";
      this.#continue();
    });
  }

  async #finish(): Promise<void> {
    this.#state = "over";
    this.#stopListening?.();
    const closing = this.#isInputOver ? undefined : await closeInput(this.#input, this.#isPulling);
    const failure = this.#failure;
    this.results.end(failure?.isOfPlant ? { error: withUnsent(failure.error, this.#unsent) } : failure);
    this.#resolveClosed(closing);
  }

  /** The wait for the next plant: Infinity until a request, the input or the consumer changes something. */
  #waitMs(): number {
    // Each plant in flight is unclear in the journal: no more than the concurrency.
    const hasNext = this.#inFlight < this.#options.concurrency && (this.#queue.length > 0 || this.#mayPull());
    return hasNext && !this.#failure ? this.#pacer.waitMs(this.#clock.now()) : Number.POSITIVE_INFINITY;
  }

  /** Waits for so long, or until something changes. */
  #wait(waitMs: number): void {
    const release = this.#isPulling ? this.#holdForInput() : undefined;
    const timer = waitMs < Number.POSITIVE_INFINITY ? this.#setTimer(Math.min(waitMs, MAX_TIMER_MS)) : undefined;
    if (timer === undefined && !release) return;
    this.#stopWaiting = () => {
      if (timer !== undefined) this.#clock.cancel(timer);
      release?.();
    };
  }

  #setTimer(ms: number): unknown {
    const dueAt = this.#clock.now() + ms;
    return this.#clock.after(ms, () => {
      const lateMs = this.#clock.now() - dueAt;
      if (lateMs > SUSPENDED_MS) this.#suspendedMs += lateMs;
      this.#continue();
    });
  }

  /** Not while other plants are on their way: the input may await them. */
  #holdForInput(): (() => void) | undefined {
    if (this.#inFlight + this.#queue.length > 0) return undefined;
    return this.#clock.hold?.("the input of createPlants", (error) => this.#end({ error }));
  }

  /** Whether a plant of the input is next. After its third try, one lets another go first: it may be refused alone. */
  #isNextNew(): boolean {
    const [first, second] = this.#queue;
    if (first === undefined) return true;
    return first === this.#last && first.tries > 2 && second === undefined && this.#mayPull();
  }

  #mayPull(): boolean {
    if (this.#isInputOver || this.#isPulling || !this.results.isWanted) return false;
    const taken = this.#inFlight + (this.#claims?.waiting ?? 0) + this.results.waiting;
    return taken < this.#options.concurrency;
  }

  #pull(): void {
    const release = this.#holdForInput();
    try {
      const next = this.#input.next();
      // An array is not waited for.
      if (isPromise(next)) void this.#receive(next);
      else this.#take(next);
    } catch (error) {
      this.#isInputOver = true;
      this.#end({ error });
    }
    release?.();
  }

  async #receive(next: Promise<IteratorResult<Input>>): Promise<void> {
    this.#isPulling = true;
    try {
      this.#take(await next);
    } catch (error) {
      this.#isInputOver = true;
      this.#end({ error });
    }
    this.#isPulling = false;
    this.#continue();
  }

  /** Takes what the input yielded. If that cannot be read, the input has not ended, and is to be closed. */
  #take(result: IteratorResult<Input>): void {
    try {
      const yielded = readYielded(result);
      if (!yielded) this.#isInputOver = true;
      // A plant that a slow input yields after the end is not sent.
      else if (!this.#failure) this.#accept(createJob(yielded.plant, this.#pulled++));
    } catch (error) {
      this.#end({ error });
    }
  }

  /** With a journal, which knows plants by their ids, an invalid plant has its result at once. */
  #accept(job: Job<Input>): void {
    const checked = this.#claims && validateNewPlant(job.input);
    if (checked?.issues) {
      this.#settleBy(job, invalid(checked.issues));
      return;
    }
    job.valid = checked?.value;
    if (this.#claims?.enter(job) !== false) this.#queue.unshift(job);
  }

  /** A try does not count as long as nothing else is admitted either: it is not the plant that fails. */
  #sendAgain(job: Job<Input>): void {
    const isCounted = job.admissions !== undefined && job.admissions !== this.#pacer.admissions;
    if (isCounted && job.last && ++job.retries > this.#options.maxRetries) this.#settle(job, job.last);
    else void this.#send(job);
  }

  /** Claims a plant in the journal, if there is one, and sends it. */
  async #send(job: Job<Input>): Promise<void> {
    this.#inFlight++;
    job.tries++;
    this.#last = job;
    const startedAt = this.#clock.now();
    const start = this.#pacer.started(startedAt);
    this.#report?.();
    const claims = this.#claims;
    if (claims && !(await this.#claim(claims, job))) this.#pacer.settled(start, this.#clock.now(), "unsent");
    else {
      // Not in a function of its own, which would allocate some 500 bytes more for each plant.
      let result: CreatePlantsResult<Input>;
      let answer: Answer;
      try {
        const options = { signal: this.#controller.signal, maxRetries: 0 };
        result = addTry(job, readResult(await this.#creator.tryCreatePlant(plantOf(job), options)));
        answer = answerOf(result);
      } catch (error) {
        // A client never rejects. Another creator that rejects would do so for every plant.
        this.#end({ error });
        result = addTry(job, creatorFailed(error));
        answer = "unanswered";
      }
      this.#pacer.settled(start, this.#clock.now(), answer);
      this.#report?.(typeof answer === "object" ? result.error : undefined);
      if (claims) await this.#record(claims, job, result.ok ? "created" : job.outcome);
      this.#after(job, result, answer, startedAt);
    }
    this.#inFlight--;
    this.#continue();
  }

  /** Whether the plant is to be sent. Otherwise it has its result here, or none. */
  async #claim(claims: Claims<Input>, job: Job<Input>): Promise<boolean> {
    if (job.isClaimed) return true;
    let state: JournalState;
    try {
      state = await claims.claim(job);
    } catch (error) {
      this.#end({ error });
      this.#settleUnsent(job, error);
      return false;
    }
    if (state === "created") {
      this.#pacer.isProven = true;
      this.#release(job);
    } else if (state !== undefined) {
      this.#settleBy(job, state === "changed" ? changed() : interrupted(job.input.id));
    } else if (this.#failure) {
      await this.#record(claims, job, job.outcome);
      this.#settleUnsent(job, this.#failure.error);
    } else return true;
    return false;
  }

  async #record(claims: Claims<Input>, job: Job<Input>, outcome: "created" | Outcome): Promise<void> {
    try {
      await claims.record(job, outcome);
    } catch (error) {
      this.#end({ error });
    }
  }

  /** Settles a plant, or puts it back into the queue. */
  #after(job: Job<Input>, result: CreatePlantsResult<Input>, answer: Answer, startedAt: number): void {
    if (result.ok || typeof answer === "string") {
      if (!result.ok && isMistake(result.error)) this.#end({ error: result.error, isOfPlant: true });
      this.#settle(job, result);
      return;
    }
    const { isRefusal, isFinal, retryAfterMs = 0 } = answer;
    if (isRefusal) job.refusedSince = Math.min(job.refusedSince, this.#clock.now() - this.#suspendedMs);
    job.admissions = isRefusal ? undefined : this.#pacer.admissions;
    const { heldUpSince } = this.#pacer;
    const { maxWaitMs = MAX_WAIT_MS } = this.#options;
    const refusedSince = job.refusedSince + this.#suspendedMs;
    // Only a try that began after this time shows that nothing has changed: the process may have been suspended.
    const isRefused = startedAt - refusedSince > maxWaitMs;
    // If others were admitted meanwhile, it is refused alone, and has held them up.
    if (isRefused && refusedSince < heldUpSince) this.#pacer.heldUpSince = startedAt;
    else if (startedAt - heldUpSince > maxWaitMs || this.#isMistaken())
      this.#end({ error: result.error, isOfPlant: true });
    if (retryAfterMs > maxWaitMs) this.#end({ error: result.error, isOfPlant: true });
    if (isFinal || isRefused || this.#failure) this.#settle(job, result);
    else this.#queue.push(job);
  }

  /** Without a sign that the configuration is right, an outage may be a mistake of the caller. */
  #isMistaken(): boolean {
    const { isProven, outagePauses } = this.#pacer;
    return this.#options.maxWaitMs === undefined && !isProven && outagePauses > PROBES_OF_A_MISTAKE;
  }

  /** The run ended before the plant was sent, or sent again. */
  #settleUnsent(job: Job<Input>, cause: unknown): void {
    if (job.last) this.#settle(job, job.last);
    else this.#settleBy(job, neverSent(cause));
  }

  #settleBy(job: Job<Input>, result: FailedResult): void {
    this.#settle(job, { ...result, input: job.input, index: job.index });
  }

  #settle(job: Job<Input>, result: CreatePlantsResult<Input>): void {
    if (this.#failure && result.outcome === "not-sent") this.#unsent++;
    this.results.push(result);
    this.#release(job);
  }

  /** The next plant with the same id has its turn. */
  #release(job: Job<Input>): void {
    const next = this.#claims?.leave(job);
    if (next && this.#failure) this.#settleUnsent(next, this.#failure.error);
    else if (next) this.#queue.unshift(next);
  }

  #abort(failure: Thrown): void {
    this.#end(failure);
    this.#controller.abort(failure.error);
  }

  /** Sends no more. Plants that wait to be sent get their last result. */
  #end(failure: Failure): void {
    this.#failure ??= failure;
    for (const job of this.#queue.splice(0)) this.#settleUnsent(job, this.#failure.error);
    this.#continue();
  }
}

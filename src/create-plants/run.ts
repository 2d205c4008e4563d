import { abortReason, onAbort } from "../call/abort.ts";
import { CLOCK, type Clock, systemClock } from "../call/clock.ts";
import { isPromise } from "../checks/describe.ts";
import { MAX_TIMER_MS } from "../checks/rules.ts";
import { type NewPlant, validateNewPlant } from "../contract/plant.ts";
import type { AnyPlantStoreError, Outcome } from "../errors.ts";
import type { CreatePlantResult, PlantCreator } from "../plant-creator.ts";
import { answerOf, isMistake } from "./answer.ts";
import { Claims, plantOf } from "./claims.ts";
import { changed, creatorFailed, interrupted, invalid, neverSent, withUnsent, wrongResult } from "./failures.ts";
import { closeInput, openInput, type PlantIterator, type Plants, readYielded } from "./input.ts";
import { addTry, createJob, type FailedResult, type Job } from "./job.ts";
import type { JournalState } from "./journal.ts";
import type { RunOptions } from "./options.ts";
import { createPaceReporter } from "./pace-reporter.ts";
import { type Answer, Pacer } from "./pacer.ts";
import { Results, type Thrown } from "./results.ts";
import { turn } from "./turn.ts";

/** Timers and sockets get a turn after this many plants: invalid ones need neither, and could starve them. */
const PLANTS_PER_TURN = 1_000;

/** How long the service may refuse or fail, without `maxWaitMs`. */
const MAX_WAIT_MS = 600_000;
/** The failed probes, some ten seconds, after which an outage from the first request on is taken for a mistake. */
const PROBES_OF_A_MISTAKE = 5;

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
  /** Continues the run if it waits. */
  #wake: () => void = () => {};
  /** Settles when all work has ended, with the error if closing the input failed; undefined before the first demand. */
  #work: Promise<Thrown | undefined> | undefined;

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
      () => this.#continue(),
      () => this.#leave(),
    );
  }

  get #isDone(): boolean {
    return this.#inFlight + this.#queue.length === 0 && (this.#isInputOver || this.#failure !== undefined);
  }

  #continue(): void {
    this.#work ??= this.#run();
    this.#wake();
    if (this.#isDone) this.results.deliver();
  }

  /** The consumer left: no work continues. */
  async #leave(): Promise<void> {
    const hasFailed = this.#failure !== undefined;
    this.#abort({ error: undefined });
    this.#continue();
    const closing = await this.#work;
    // As in a `for` loop, an error of closing the input must not hide why the run ended.
    if (closing && !hasFailed) throw closing.error;
  }

  async #run(): Promise<Thrown | undefined> {
    const { signal } = this.#options;
    const abort = () => this.#abort({ error: abortReason(signal) });
    if (signal?.aborted) abort();
    const stopListening = signal && onAbort(signal, abort);
    while (!this.#isDone) {
      const waitMs = this.#waitMs();
      if (waitMs > 0) await this.#wait(waitMs);
      else if (!this.#isNextNew()) this.#sendAgain(this.#queue.shift() as Job<Input>);
      else {
        this.#pull();
        if ((this.#pulled + 1) % PLANTS_PER_TURN === 0) await turn(this.#clock);
      }
    }
    stopListening?.();
    const closing = this.#isInputOver ? undefined : await closeInput(this.#input, this.#isPulling);
    const failure = this.#failure;
    this.results.end(failure?.isOfPlant ? { error: withUnsent(failure.error, this.#unsent) } : failure);
    return closing;
  }

  /** The wait for the next plant: Infinity until a request, the input or the consumer wakes the run. */
  #waitMs(): number {
    // Each plant in flight is unclear in the journal: no more than the concurrency.
    const hasNext = this.#inFlight < this.#options.concurrency && (this.#queue.length > 0 || this.#mayPull());
    return hasNext && !this.#failure ? this.#pacer.waitMs(this.#clock.now()) : Number.POSITIVE_INFINITY;
  }

  /** Waits for so long, or until something wakes the run. */
  #wait(waitMs: number): Promise<void> {
    this.results.deliver();
    const clock = this.#clock;
    const release = this.#isPulling ? this.#holdForInput() : undefined;
    return new Promise((resolve) => {
      const isTimed = waitMs < Number.POSITIVE_INFINITY;
      const timer = isTimed ? clock.after(Math.min(waitMs, MAX_TIMER_MS), () => this.#wake()) : undefined;
      this.#wake = () => {
        clock.cancel(timer);
        release?.();
        resolve();
      };
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
    this.#wake();
  }

  #take(result: IteratorResult<Input>): void {
    const yielded = readYielded(result);
    if (!yielded) this.#isInputOver = true;
    // A plant that a slow input yields after the end is not sent.
    else if (!this.#failure) this.#accept(createJob(yielded.plant, this.#pulled++));
  }

  /** With a journal, which knows plants by their ids, an invalid plant has its result at once. */
  #accept(job: Job<Input>): void {
    const checked = this.#claims && validateNewPlant(job.input);
    if (checked?.issues) {
      this.#settle(job, invalid(checked.issues));
      return;
    }
    job.valid = checked?.value;
    if (this.#claims?.enter(job) !== false) this.#queue.unshift(job);
  }

  /** A try does not count as long as nothing else is admitted either: it is not the plant that fails. */
  #sendAgain(job: Job<Input>): void {
    const isCounted = job.admissions !== undefined && job.admissions !== this.#pacer.admissions;
    if (isCounted && ++job.retries > this.#options.maxRetries) this.#settle(job, job.last as FailedResult);
    else void this.#send(job);
  }

  /** Claims a plant in the journal, if there is one, and sends it. */
  async #send(job: Job<Input>): Promise<void> {
    this.#inFlight++;
    job.tries++;
    this.#last = job;
    const start = this.#pacer.started(this.#clock.now());
    this.#report?.();
    const claims = this.#claims;
    if (claims && !(await this.#claim(claims, job))) this.#pacer.settled(start, this.#clock.now(), "unsent");
    else {
      // Not in a function of its own, which would allocate some 500 bytes more for each plant.
      let result: CreatePlantResult;
      try {
        const options = { signal: this.#controller.signal, maxRetries: 0 };
        result = await this.#creator.tryCreatePlant(plantOf(job), options);
        // A wrapper in an application may forget to return the result, or return a plant.
        if (typeof result?.ok !== "boolean") throw wrongResult(result);
      } catch (error) {
        // A client never rejects. Another creator that rejects would do so for every plant.
        this.#end({ error });
        result = creatorFailed(error);
      }
      const answer = answerOf(result);
      this.#pacer.settled(start, this.#clock.now(), answer);
      this.#report?.(typeof answer === "object" ? result.error : undefined);
      const whole = addTry(job, result);
      if (claims) await this.#record(claims, job, result.ok ? "created" : job.outcome);
      this.#after(job, whole, answer);
    }
    this.#inFlight--;
    this.#wake();
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
      this.#settle(job, state === "changed" ? changed() : interrupted(job.input.id));
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
  #after(job: Job<Input>, result: CreatePlantResult, answer: Answer): void {
    if (result.ok || typeof answer === "string") {
      if (!result.ok && isMistake(result.error)) this.#end({ error: result.error, isOfPlant: true });
      this.#settle(job, result);
      return;
    }
    const { isRefusal, isFinal } = answer;
    if (isRefusal) job.refusedSince = Math.min(job.refusedSince, this.#clock.now());
    job.admissions = isRefusal ? undefined : this.#pacer.admissions;
    if (this.#isHopeless()) this.#end({ error: result.error, isOfPlant: true });
    // A plant that is refused for so long while others are admitted is refused alone.
    if (isFinal || this.#failure || this.#isTooLong(job.refusedSince)) this.#settle(job, result);
    else this.#queue.push(job);
  }

  /** Without a sign that the configuration is right, an outage may be a mistake of the caller. */
  #isHopeless(): boolean {
    const { heldUpSince, isProven, outagePauses } = this.#pacer;
    const isMistake = this.#options.maxWaitMs === undefined && !isProven && outagePauses > PROBES_OF_A_MISTAKE;
    return isMistake || this.#isTooLong(heldUpSince);
  }

  #isTooLong(since: number): boolean {
    const { pausedUntil } = this.#pacer;
    return Math.max(pausedUntil, this.#clock.now()) - since > (this.#options.maxWaitMs ?? MAX_WAIT_MS);
  }

  /** The run ended before the plant was sent, or sent again. */
  #settleUnsent(job: Job<Input>, cause: unknown): void {
    this.#settle(job, job.last ?? neverSent(cause));
  }

  #settle(job: Job<Input>, result: CreatePlantResult): void {
    if (this.#failure && result.outcome === "not-sent") this.#unsent++;
    const { input, index } = job;
    this.results.push({ ...result, input, index });
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
    this.#wake();
  }
}

import { abortReason, onAbort } from "../call/abort.ts";
import { CLOCK, type Clock, systemClock } from "../call/clock.ts";
import { MAX_TIMER_MS } from "../checks/rules.ts";
import { type NewPlant, validateNewPlant } from "../contract/plant.ts";
import type { PlantCreator } from "../plant-creator.ts";
import { changed, creatorFailed, interrupted, invalid, neverSent, readResult, withUnsent } from "./failures.ts";
import { Input, type Plants } from "./input.ts";
import { addTry, answerOf, isMistake, type Job } from "./job.ts";
import { Claims, plantOf } from "./journal.ts";
import type { RunOptions } from "./options.ts";
import { createPaceReporter } from "./pace-reporter.ts";
import { type Answer, Pacer } from "./pacer.ts";
import { type CreatePlantsResult, Results, type Thrown } from "./results.ts";

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
export class Run<Plant extends NewPlant> {
  readonly results: Results<Plant>;
  readonly #input: Input<Plant>;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  /** The run sends again by itself. */
  readonly #callOptions = { signal: this.#controller.signal, maxRetries: 0 };
  readonly #pacer: Pacer;
  /** Undefined without a journal. */
  readonly #claims: Claims<Plant> | undefined;
  readonly #report: ReturnType<typeof createPaceReporter> | undefined;
  readonly #stopListening: (() => void) | undefined;
  readonly #wake = () => this.#continue();

  #state: "idle" | "busy" | "over" = "idle";
  /** The plants that wait to be sent. */
  readonly #queue: Job<Plant>[] = [];
  /** The plant that was sent last. */
  #last: Job<Plant> | undefined;
  #inFlight = 0;
  #failure: Failure | undefined;
  /** Plants that the end of the run left unsent. */
  #unsent = 0;
  /** What an idle run waits for: the pace, and the input while a test's clock stands still for it. */
  #timer: unknown;
  #releaseInput: (() => void) | undefined;
  #resolveClosed!: (closing: Thrown | undefined) => void;
  /** Settles when all work has ended, with the error if closing the input failed. */
  readonly #closed = new Promise<Thrown | undefined>((resolve) => {
    this.#resolveClosed = resolve;
  });

  constructor(
    private readonly creator: Pick<PlantCreator, "tryCreatePlant">,
    plants: Plants<Plant>,
    private readonly options: RunOptions<Plant>,
  ) {
    const { [CLOCK]: clientClock = systemClock } = creator as { readonly [CLOCK]?: Clock };
    const { concurrency, clock = clientClock, journal, onPace, signal } = options;
    this.#input = new Input(
      plants,
      clock,
      (plant, index) => this.#accept(plant, index),
      (failure) => this.#end(failure),
    );
    this.#clock = clock;
    this.#pacer = new Pacer(concurrency, () => clock.random());
    this.#claims = journal && new Claims(journal, clock);
    this.#report = onPace && createPaceReporter(this.#pacer, clock, onPace);
    this.results = new Results(this.#wake, () => this.#leave());
    const abort = () => this.#abort({ error: abortReason(signal) });
    if (signal?.aborted) abort();
    else this.#stopListening = signal && onAbort(signal, abort);
  }

  /** The consumer left: no work continues. */
  async #leave(): Promise<void> {
    const hasFailed = this.#failure !== undefined;
    this.#abort({ error: undefined });
    const closing = await this.#closed;
    // As in a `for` loop, an error of closing the input must not hide why the run ended.
    if (closing && !hasFailed) throw closing.error;
  }

  #abort(failure: Thrown): void {
    this.#end(failure);
    this.#controller.abort(failure.error);
  }

  /** The input has ended or, with a failure, the run: it sends no more. */
  #end(failure: Failure | undefined): void {
    this.#failure ??= failure;
    this.#continue();
  }

  /** Sends all that may be sent now. Called at each change: a loop of its own would have to be woken for every plant. */
  #continue(): void {
    if (this.#state !== "idle") return;
    this.#state = "busy";
    this.#stopWaiting();
    let waitMs = this.#waitMs();
    for (; waitMs <= 0; waitMs = this.#waitMs()) {
      if (this.#isNextNew()) this.#pull();
      else this.#sendAgain(this.#queue.shift() as Job<Plant>);
    }
    if (this.#failure) this.#settleQueue(this.#failure);
    this.#state = "idle";
    const isEmpty = this.#inFlight + this.#queue.length === 0;
    if (isEmpty && (this.#input.state === "over" || this.#failure)) void this.#finish();
    else this.#wait(waitMs);
  }

  /** The wait for the next plant: Infinity until a request, the input or the consumer changes something. */
  #waitMs(): number {
    // Each plant in flight is unclear in the journal: no more than the concurrency.
    const hasNext = this.#inFlight < this.options.concurrency && (this.#queue.length > 0 || this.#mayPull());
    return hasNext && !this.#failure ? this.#pacer.waitMs(this.#clock.now()) : Number.POSITIVE_INFINITY;
  }

  /** Waits for so long, or until something changes. */
  #wait(waitMs: number): void {
    if (waitMs < Number.POSITIVE_INFINITY) this.#timer = this.#clock.after(Math.min(waitMs, MAX_TIMER_MS), this.#wake);
    if (this.#input.state === "pending") this.#holdForInput();
  }

  #pull(): void {
    this.#holdForInput();
    this.#input.pull();
    this.#stopWaiting();
  }

  /** Not while other plants are on their way: the input may await them. */
  #holdForInput(): void {
    if (this.#inFlight + this.#queue.length > 0) return;
    this.#releaseInput = this.#clock.hold?.("the input of createPlants", (error) => this.#end({ error }));
  }

  #stopWaiting(): void {
    if (this.#timer !== undefined) this.#clock.cancel(this.#timer);
    this.#timer = undefined;
    this.#releaseInput?.();
    this.#releaseInput = undefined;
  }

  async #finish(): Promise<void> {
    this.#state = "over";
    this.#stopListening?.();
    const closing = await this.#input.close();
    const failure = this.#failure;
    this.results.end(failure?.isOfPlant ? { error: withUnsent(failure.error, this.#unsent) } : failure);
    this.#resolveClosed(closing);
  }

  /** Whether a plant of the input is next. After its third try, one lets another go first: it may be refused alone. */
  #isNextNew(): boolean {
    const [first, second] = this.#queue;
    if (first === undefined) return true;
    return first === this.#last && first.tries > 2 && second === undefined && this.#mayPull();
  }

  #mayPull(): boolean {
    if (this.#input.state !== "idle" || !this.results.isWanted) return false;
    const taken = this.#inFlight + (this.#claims?.waiting ?? 0) + this.results.waiting;
    return taken < this.options.concurrency;
  }

  /** Puts a plant of the input into the queue. With a journal, which knows plants by their ids, an invalid one is settled. */
  #accept(plant: Plant, index: number): void {
    // One that a slow input yields after the end of the run is not sent.
    if (this.#failure) return;
    const checked = this.#claims && validateNewPlant(plant);
    const valid = checked && !checked.issues ? checked.value : undefined;
    const job: Job<Plant> = { input: plant, index, valid, last: undefined, tries: 0, retries: 0, isClaimed: false };
    if (checked?.issues) this.#settle(job, addTry(job, invalid(checked.issues)));
    else if (this.#claims?.enter(job) !== false) this.#queue.unshift(job);
    this.#continue();
  }

  /** A try does not count as long as nothing else is admitted either: it is not the plant that fails. */
  #sendAgain(job: Job<Plant>): void {
    const isCounted = job.admissions !== undefined && job.admissions !== this.#pacer.admissions;
    if (isCounted && job.last && ++job.retries > this.options.maxRetries) this.#settle(job, job.last);
    else void this.#send(job);
  }

  /** Claims a plant in the journal, if there is one, and sends it. */
  async #send(job: Job<Plant>): Promise<void> {
    this.#inFlight++;
    job.tries++;
    this.#last = job;
    const now = this.#clock.now();
    const start = this.#pacer.started(now);
    const startedAt = this.#pacer.activeTime(now);
    this.#report?.();
    const claims = this.#claims;
    try {
      if (claims && !(await this.#claim(claims, job))) this.#pacer.settled(start, this.#clock.now(), "unsent");
      else {
        // Not in a function of its own, which would allocate some 500 bytes more for each plant.
        let result: CreatePlantsResult<Plant>;
        let answer: Answer;
        try {
          result = addTry(job, readResult(await this.creator.tryCreatePlant(plantOf(job), this.#callOptions)));
          answer = answerOf(result);
        } catch (error) {
          // A client never rejects. Another creator that rejects would do so for every plant.
          this.#end({ error });
          result = addTry(job, creatorFailed(error));
          answer = "unanswered";
        }
        this.#pacer.settled(start, this.#clock.now(), answer);
        this.#report?.(typeof answer === "object" ? result.error : undefined);
        if (claims) await claims.record(job, result.ok ? "created" : result.outcome);
        this.#after(job, result, answer, startedAt);
      }
    } catch (error) {
      // The journal failed.
      this.#queue.push(job);
      this.#end({ error });
    }
    this.#inFlight--;
    this.#continue();
  }

  /** Whether the plant is to be sent. If not, it has its result, or none if it was created, or the run has ended. */
  async #claim(claims: Claims<Plant>, job: Job<Plant>): Promise<boolean> {
    if (job.isClaimed) return true;
    const state = await claims.claim(job);
    if (state === "created") {
      this.#pacer.isProven = true;
      this.#release(job);
    } else if (state) {
      this.#settle(job, addTry(job, state === "changed" ? changed() : interrupted(job.input.id)));
    } else if (this.#failure) {
      await claims.record(job, job.last?.outcome ?? "not-sent");
      this.#queue.push(job);
    } else return true;
    return false;
  }

  /** Settles a plant, or puts it back into the queue. */
  #after(job: Job<Plant>, result: CreatePlantsResult<Plant>, answer: Answer, startedAt: number): void {
    if (typeof answer === "string") {
      if (!result.ok && isMistake(result.error)) this.#end({ error: result.error, isOfPlant: true });
      this.#settle(job, result);
      return;
    }
    const { isRefusal, isFinal, retryAfterMs = 0 } = answer;
    const { admissions, isProven, outagePauses } = this.#pacer;
    const { maxWaitMs = MAX_WAIT_MS } = this.options;
    job.admissions = isRefusal ? undefined : admissions;
    if (isRefusal) job.refused ??= { since: this.#pacer.activeTime(this.#clock.now()), admissions };
    // Only a try that began after this time shows that nothing has changed: the process may have been suspended.
    const isRefused = job.refused !== undefined && startedAt - job.refused.since > maxWaitMs;
    // If others were admitted meanwhile, it is refused alone, and has held them up.
    if (isRefused && job.refused?.admissions !== admissions) this.#pacer.heldUpSince = startedAt;
    const isUseless = startedAt - this.#pacer.heldUpSince > maxWaitMs || retryAfterMs > maxWaitMs;
    // Without a sign that the configuration is right, an outage may be a mistake of the caller.
    const isMistaken = this.options.maxWaitMs === undefined && !isProven && outagePauses > PROBES_OF_A_MISTAKE;
    if (isUseless || isMistaken) this.#end({ error: result.error, isOfPlant: true });
    if (isFinal || isRefused) this.#settle(job, result);
    else this.#queue.push(job);
  }

  /** Settles the plants that wait to be sent, or sent again: the run has ended. */
  #settleQueue({ error }: Failure): void {
    for (let job = this.#queue.shift(); job; job = this.#queue.shift()) {
      this.#settle(job, job.last ?? addTry(job, neverSent(error)));
    }
  }

  #settle(job: Job<Plant>, result: CreatePlantsResult<Plant>): void {
    if (this.#failure && result.outcome === "not-sent") this.#unsent++;
    this.results.push(result);
    this.#release(job);
  }

  /** The next plant with the same id has its turn. */
  #release(job: Job<Plant>): void {
    const next = this.#claims?.leave(job);
    if (next) this.#queue.unshift(next);
  }
}

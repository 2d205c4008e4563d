import { abortReason, onAbort } from "../call/abort.ts";
import { CLOCK, type Clock, systemClock } from "../call/clock.ts";
import { MAX_TIMER_MS } from "../checks/rules.ts";
import { type NewPlant, validateNewPlant } from "../contract/plant.ts";
import type { PlantCreator } from "../plant-creator.ts";
import { changed, creatorFailed, interrupted, invalid, neverSent, readResult } from "./failures.ts";
import { Job } from "./job.ts";
import { Claims, plantOf } from "./journal.ts";
import { judge, VERDICTS, type Verdict } from "./judgement.ts";
import type { RunOptions } from "./options.ts";
import { Order } from "./order.ts";
import { createPaceReporter } from "./pace-reporter.ts";
import { Pacer } from "./pacer.ts";
import { Patience } from "./patience.ts";
import { PlantReader, type Plants } from "./plant-reader.ts";
import { type CreatePlantsResult, Results, type Thrown } from "./results.ts";

/**
 * One run over an input: the loop that asks the order which plant is next, the pace when, the judgement what its result
 * means, and the patience whether to go on. docs/architecture.md tells it.
 */
export class Run<Plant extends NewPlant> {
  readonly results: Results<Plant>;
  readonly #input: PlantReader<Plant>;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  /** The run sends again by itself. */
  readonly #callOptions = { signal: this.#controller.signal, maxRetries: 0 };
  readonly #order = new Order<Plant>();
  readonly #pacer: Pacer;
  readonly #patience: Patience;
  /** Undefined without a journal. */
  readonly #claims: Claims<Plant> | undefined;
  readonly #report: ReturnType<typeof createPaceReporter> | undefined;
  readonly #stopListening: (() => void) | undefined;
  readonly #wake = () => this.#continue();

  #state: "idle" | "busy" | "over" = "idle";
  #inFlight = 0;
  /** Why the run sends no more; thrown after the last result. */
  #failure: Thrown | undefined;
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
    const { concurrency, clock = clientClock, journal, maxRetries, maxWaitMs, onPace, signal } = options;
    this.#input = new PlantReader(
      plants,
      clock,
      (plant, index) => this.#accept(plant, index),
      (failure) => this.#end(failure),
    );
    this.#clock = clock;
    this.#pacer = new Pacer(concurrency, () => clock.random());
    this.#patience = new Patience(this.#pacer, maxWaitMs, maxRetries);
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
  #end(failure: Thrown | undefined): void {
    this.#failure ??= failure;
    this.#continue();
  }

  /** Sends all that may be sent now. Called at each change: a loop of its own would have to be woken for every plant. */
  #continue(): void {
    if (this.#state !== "idle") return;
    this.#state = "busy";
    this.#stopWaiting();
    let waitMs = this.#step();
    while (waitMs === 0) waitMs = this.#step();
    if (this.#failure) this.#settleAll(this.#failure);
    this.#state = "idle";
    const isEmpty = this.#inFlight === 0 && this.#order.isEmpty;
    if (isEmpty && (this.#input.state === "over" || this.#failure)) void this.#finish();
    else this.#wait(waitMs);
  }

  /** Sends or pulls one plant, if that is possible now: returns 0, or the wait, Infinity until something changes. */
  #step(): number {
    // Each plant in flight is unclear in the journal: no more than the concurrency.
    if (this.#failure || this.#inFlight >= this.options.concurrency) return Number.POSITIVE_INFINITY;
    const mayPull = this.#mayPull();
    if (this.#order.isEmpty && !mayPull) return Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    const next = this.#order.next(now);
    // Nothing else can be sent.
    const probe = next || mayPull ? undefined : this.#probe();
    if (!next && !mayPull && !probe) return Number.POSITIVE_INFINITY;
    const waitMs = Math.max(this.#pacer.waitMs(now), probe ? probe.pausedUntil - now : 0);
    if (waitMs > 0) return waitMs;
    const job = next ?? probe;
    if (job) this.#sendNext(job);
    else this.#pull();
    return 0;
  }

  /** A plant that is sent although no other has shown life; not if the input has one later, when it is asked for it. */
  #probe(): Job<Plant> | undefined {
    const { state } = this.#input;
    const isPulledLater = state === "turn" || (state === "idle" && !this.results.isWanted);
    return isPulledLater || this.#inFlight > 0 ? undefined : this.#order.probe();
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
    if (this.#inFlight > 0 || !this.#order.isEmpty) return;
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
    this.results.end(this.#failure);
    this.#resolveClosed(closing);
  }

  #mayPull(): boolean {
    if (this.#input.state !== "idle" || !this.results.isWanted || this.#order.isFull) return false;
    const taken = this.#inFlight + (this.#claims?.waiting ?? 0) + this.results.waiting;
    return taken < this.options.concurrency;
  }

  /** Puts a plant of the input into the queue. With a journal, which knows plants by their ids, an invalid one is settled. */
  #accept(plant: Plant, index: number): void {
    // One that a slow input yields after the end of the run is not sent.
    if (this.#failure) return;
    const checked = this.#claims && validateNewPlant(plant);
    const valid = checked && !checked.issues ? checked.value : undefined;
    const job = new Job(plant, index, valid);
    if (checked?.issues) this.#settle(job, job.add(invalid(checked.issues)));
    else if (this.#claims?.enter(job) !== false) this.#order.add(job);
    this.#continue();
  }

  /** Sends a plant, unless it has failed alone too often. */
  #sendNext(job: Job<Plant>): void {
    this.#order.take(job, this.#input.state === "over" && this.#inFlight === 0);
    const isRetry = job.isAlone && job.verdict?.pace === "trouble";
    if (isRetry && job.last && !this.#patience.mayRetry(job)) this.#settle(job, job.last);
    else {
      if (isRetry) job.retries++;
      void this.#send(job);
    }
  }

  /** Claims a plant in the journal, if there is one, and sends it. */
  async #send(job: Job<Plant>): Promise<void> {
    this.#inFlight++;
    const now = this.#clock.now();
    const start = this.#pacer.started(now, job.pausedUntil);
    const startedAt = this.#pacer.activeTime(now);
    this.#report?.();
    if (this.#claims && !(await this.#maySend(this.#claims, job))) {
      this.#pacer.settled(start, this.#clock.now(), "nothing");
    } else {
      try {
        const result = readResult(await this.creator.tryCreatePlant(plantOf(job), this.#callOptions));
        job.verdict = judge(result, this.#controller.signal.aborted);
        job.add(result);
      } catch (error) {
        // A client never rejects. Another creator that rejects would do so for every plant.
        this.#end({ error });
        job.verdict = VERDICTS.mistake;
        job.add(creatorFailed(error));
      }
      this.#tell(job, start);
      if (!this.#claims || (await this.#record(this.#claims, job))) this.#after(job, startedAt);
    }
    this.#inFlight--;
    this.#continue();
  }

  /** Whether the plant is to be sent. If not, it has its result, or none if it was created, or the run has ended. */
  async #maySend(claims: Claims<Plant>, job: Job<Plant>): Promise<boolean> {
    if (job.isClaimed) return true;
    try {
      const state = await claims.claim(job);
      if (state === "created") {
        this.#patience.showUrl();
        this.#release(job);
      } else if (state) {
        this.#settle(job, job.add(state === "changed" ? changed() : interrupted(job.input.id)));
      } else if (this.#failure) {
        await claims.record(job, job.last?.outcome ?? "not-sent");
        this.#order.add(job);
      } else return true;
    } catch (error) {
      this.#fail(job, error);
    }
    return false;
  }

  /** Whether the journal has taken down what came of a try. */
  async #record(claims: Claims<Plant>, job: Job<Plant>): Promise<boolean> {
    try {
      await claims.record(job, job.last?.outcome ?? "created");
      return true;
    } catch (error) {
      this.#fail(job, error);
      return false;
    }
  }

  /** The journal failed. */
  #fail(job: Job<Plant>, error: unknown): void {
    this.#order.add(job);
    this.#end({ error });
  }

  /** Tells the order and the pace what a try has met. What a plant meets alone is no matter of the pace. */
  #tell(job: Job<Plant>, start: number): void {
    const { pace, mayExist } = job.verdict as Verdict;
    const { isRefused } = job;
    const now = this.#clock.now();
    if (isRefused && job.refusals++ === 0) this.#patience.beginRefusal(job, this.#pacer.activeTime(now));
    const shown = pace === "admitted" && !this.#pacer.isOutage ? "life" : pace;
    this.#order.tried(job, shown === "life");
    const { failsAlone } = job;
    this.#pacer.settled(start, now, failsAlone ? "no life" : shown, isRefused ? job.retryAfterMs : 0, mayExist);
    this.#report?.(!failsAlone && (isRefused || pace === "trouble") ? job.last?.error : undefined);
  }

  /** Settles a plant, or lets it wait. */
  #after(job: Job<Plant>, startedAt: number): void {
    const result = job.last as CreatePlantsResult<Plant>;
    const isLast = this.#input.state === "over" && this.#inFlight === 1;
    const isOver = this.#patience.endsRun(job, startedAt);
    if (isOver) this.#end({ error: result.error });
    if (isOver || this.#patience.endsPlant(job, startedAt, isLast)) this.#settle(job, result);
    else this.#order.again(job, this.#clock.now());
  }

  /** Settles the plants that were not sent, or would be sent again: the run has ended. */
  #settleAll({ error }: Thrown): void {
    // A plant may have let another with its id wait.
    for (let job = this.#order.remove(); job; job = this.#order.remove()) {
      this.#settle(job, job.last ?? job.add(neverSent(error)));
    }
  }

  #settle(job: Job<Plant>, result: CreatePlantsResult<Plant>): void {
    this.results.push(result);
    this.#release(job);
  }

  /** The next plant with the same id has its turn. */
  #release(job: Job<Plant>): void {
    const next = this.#claims?.leave(job);
    if (next) this.#order.add(next);
  }
}

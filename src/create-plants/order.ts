import type { NewPlant } from "../contract/plant.ts";
import { type Job, REFUSALS_IN_TURN } from "./job.ts";

/** The pause of a plant that is refused alone, at first and at most. */
const OWN_PAUSE_MS = 1_000;
const MAX_OWN_PAUSE_MS = 8_000;
/** The input has to wait if so many plants do. */
const MOST_WAITING = 1_000;

/**
 * Decides which plant is sent next: one that is new or whose turn it is after a refusal; else one that has waited long
 * enough; else one of the input.
 *
 * A plant that has failed waits until one that was sent later shows life; one that is refused again and again, until others
 * do, twice as many each time. What a plant meets after others have shown life, it meets alone; refused alone, it also makes
 * a pause, twice as long each time.
 */
export class Order<Plant extends NewPlant> {
  readonly #ready: Job<Plant>[] = [];
  /** Sorted by their turns. */
  readonly #waiting: Job<Plant>[] = [];
  /** How many tries have begun, how many have shown life, and the number of the latest of these. */
  #tries = 0;
  #lives = 0;
  #alive = 0;
  /** The statuses that plants have met alone. */
  readonly #metAlone = new Set<number | undefined>();

  get isEmpty(): boolean {
    return this.#ready.length + this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#waiting.length >= MOST_WAITING;
  }

  /** Adds a plant that is sent as soon as the pace allows. */
  add(job: Job<Plant>): void {
    this.#ready.push(job);
  }

  /** Adds a plant that is sent again: next, or after others and its own pause. */
  again(job: Job<Plant>, now: number): void {
    const { isRefused } = job;
    if (isRefused && job.refusals <= REFUSALS_IN_TURN) {
      this.add(job);
      return;
    }
    const times = isRefused ? 2 ** (job.refusals - REFUSALS_IN_TURN) : 0;
    const ownPauseMs = job.failsAlone ? Math.min(MAX_OWN_PAUSE_MS, OWN_PAUSE_MS * times) : 0;
    job.pausedUntil = now + Math.max(ownPauseMs, job.retryAfterMs);
    job.turn = this.#lives + times;
    const at = this.#waiting.findLastIndex(({ turn }) => turn <= job.turn);
    this.#waiting.splice(at + 1, 0, job);
  }

  /** A plant that may be sent now, if there is one. It stays in its place until it is taken. */
  next(now: number): Job<Plant> | undefined {
    if (this.#ready.length > 0) return this.#ready[0];
    for (const job of this.#waiting) {
      if (job.turn > this.#lives) return undefined;
      if (job.pausedUntil <= now && this.#alive > job.start) return job;
    }
    return undefined;
  }

  /** The plant to send if nothing else can be sent: the one whose own pause ends first. */
  probe(): Job<Plant> | undefined {
    const [first] = this.#waiting;
    return first && this.#waiting.reduce((one, other) => (other.pausedUntil < one.pausedUntil ? other : one), first);
  }

  /**
   * Takes a plant that is sent now, or settled.
   *
   * @param isEnd - No other plant is left that could show life.
   */
  take(job: Job<Plant>, isEnd: boolean): void {
    if (job === this.#ready[0]) this.#ready.shift();
    else this.#waiting.splice(this.#waiting.indexOf(job), 1);
    const { last, verdict, isRefused } = job;
    // Others have shown it before, even if none is left that could.
    const isKnown = isRefused ? job.isAlone || (isEnd && this.#lives > 0) : this.#metAlone.has(last?.error?.status);
    job.isAlone = verdict !== undefined && (isKnown || this.#alive > job.start);
    job.start = ++this.#tries;
  }

  /** Notes what the try of a plant shows of others: that the service is well, or what may be met alone. */
  tried({ start, last, verdict, failsAlone }: Job<Plant>, isLife: boolean): void {
    if (isLife) {
      this.#lives++;
      this.#alive = Math.max(this.#alive, start);
    } else if (failsAlone && verdict?.isAnswered) this.#metAlone.add(last?.error?.status);
  }

  /** Removes a plant that is not to be sent. */
  remove(): Job<Plant> | undefined {
    return this.#ready.shift() ?? this.#waiting.shift();
  }
}

import type { NewPlant } from "../contract/plant.ts";
import type { Job } from "./job.ts";

/** The input has to wait if so many plants do. */
const MOST_WAITING = 1_000;

/**
 * Decides which plant is sent next: one that is new or whose turn it is after a refusal; else one that has waited long
 * enough; else one of the input.
 *
 * A plant that has failed waits until one that was sent later shows life; a plant that is refused again and again, until
 * others were sent, twice as many each time. What a plant meets after others have shown life, it meets alone.
 */
export class Order<Plant extends NewPlant> {
  readonly #ready: Job<Plant>[] = [];
  /** Sorted by their turns. */
  readonly #waiting: Job<Plant>[] = [];
  /** How many tries have begun, and the number of the latest one that has shown life. */
  #tries = 0;
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

  /** Adds a plant that waits for so many others, and until a time. */
  wait(job: Job<Plant>, others: number, pausedUntil: number): void {
    job.turn = this.#tries + others;
    job.pausedUntil = pausedUntil;
    const at = this.#waiting.findLastIndex(({ turn }) => turn <= job.turn);
    this.#waiting.splice(at + 1, 0, job);
  }

  /** A plant that may be sent now, if there is one. It stays in its place until it is taken. */
  next(now: number): Job<Plant> | undefined {
    if (this.#ready.length > 0) return this.#ready[0];
    for (const job of this.#waiting) {
      if (job.turn > this.#tries) return undefined;
      if (job.pausedUntil <= now && (job.verdict?.pace === "refused" || this.#alive > job.start)) return job;
    }
    return undefined;
  }

  /** The plant to send if nothing else can be sent: the one whose own pause ends first. */
  probe(): Job<Plant> | undefined {
    const [first] = this.#waiting;
    return first && this.#waiting.reduce((one, other) => (other.pausedUntil < one.pausedUntil ? other : one), first);
  }

  /** Takes a plant that is sent now, or settled. */
  take(job: Job<Plant>): void {
    if (job === this.#ready[0]) this.#ready.shift();
    else this.#waiting.splice(this.#waiting.indexOf(job), 1);
    const { last, verdict } = job;
    // Known by other plants, even if none is left that could show life.
    const isKnown = verdict?.pace === "refused" ? job.isAlone : this.#metAlone.has(last?.error?.status);
    job.isAlone = verdict !== undefined && (isKnown || this.#alive > job.start);
    job.start = ++this.#tries;
  }

  /** The try of a plant has shown that the service is well. */
  showLife({ start }: Job<Plant>): void {
    this.#alive = Math.max(this.#alive, start);
  }

  /** A plant has failed alone. If it was answered, others may be, too. */
  failAlone({ last, verdict }: Job<Plant>): void {
    if (verdict?.isAnswered) this.#metAlone.add(last?.error?.status);
  }

  /** Removes a plant that is not to be sent. */
  remove(): Job<Plant> | undefined {
    return this.#ready.shift() ?? this.#waiting.shift();
  }
}

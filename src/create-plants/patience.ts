import type { NewPlant } from "../contract/plant.ts";
import type { Job } from "./job.ts";
import { type Pacer, RELIEF } from "./pacer.ts";

const MAX_WAIT_MS = 600_000;
/** So many failed probes, some ten seconds, or answers without life may be a mistake of the caller. */
const MOST_IN_DOUBT = 5;
/** So many answers without life end a run even if URL and token were right once. */
const MOST_WITHOUT_LIFE = 100;
/** So many created plants show that one which was refused meanwhile is not refused because of the pace. */
const MANY_LIVES = 500;
/** At the end of the input, so many failed probes show that what is left fails alone, if it is answered. */
const LAST_PROBES = 5;

/**
 * Decides when to give up: a plant, or the whole run.
 *
 * The run ends if there was no life for `maxWaitMs`, or if a mistake of the caller is likely. A created plant, a 409 with
 * the contract's Error and a 429 show that URL and token are right, and a hit of the journal that the URL is. Until then,
 * five failed probes or five answers without life end the run, unless `maxWaitMs` was passed.
 *
 * A plant that fails alone has its result after `maxRetries` more tries. One that is refused alone has it after
 * `maxWaitMs`, if many others were created meanwhile, or none for so long: a limit that is low refuses plants often, but
 * none for ever.
 */
export class Patience {
  readonly #maxWaitMs: number;
  /** Whether a mistake of the caller is likely: nothing has shown yet that URL and token are right. */
  #isInDoubt: boolean;
  #isUrlShown = false;
  /** Answers without life since the last life, less a part for each invalid plant. */
  #withoutLife = 0;
  /** How many plants have shown life, and when the last try of these began. */
  #lives = 0;
  #livedAt = 0;

  constructor(
    private readonly pacer: Pacer,
    maxWaitMs: number | undefined,
    private readonly maxRetries: number,
  ) {
    this.#isInDoubt = maxWaitMs === undefined;
    this.#maxWaitMs = maxWaitMs ?? MAX_WAIT_MS;
  }

  /** The journal knows a plant that was created. */
  showUrl(): void {
    this.#isUrlShown = true;
  }

  /** Notes the first refusal of a plant. */
  beginRefusal(job: Job<NewPlant>, at: number): void {
    job.refusedSince = at;
    job.livesBefore = this.#lives;
  }

  /**
   * Whether the last try of a plant ends the run.
   *
   * @param startedAt - When it began: only a try that began after `maxWaitMs` shows that nothing has changed, because the
   * process may have been suspended.
   */
  endsRun({ last, verdict, retryAfterMs, failsAlone }: Job<NewPlant>, startedAt: number): boolean {
    const pace = verdict?.pace;
    const status = last?.error?.status;
    if (pace === "admitted") this.#withoutLife = Math.max(0, this.#withoutLife - RELIEF);
    if (pace === "life") {
      this.#withoutLife = 0;
      this.#lives++;
      this.#livedAt = startedAt;
    }
    if (last?.ok || status === 429 || (status === 409 && pace === "life")) {
      this.#isInDoubt = false;
      this.#isUrlShown = true;
    }
    if (failsAlone) return false;
    if (pace === "no life") return ++this.#withoutLife >= (this.#isInDoubt ? MOST_IN_DOUBT : MOST_WITHOUT_LIFE);
    if (pace !== "refused" && pace !== "trouble") return verdict?.isMistake === true;
    const isTooLong = startedAt - this.pacer.heldUpSince > this.#maxWaitMs;
    if (isTooLong || pace === "refused") return isTooLong || retryAfterMs > this.#maxWaitMs;
    // The first pause is that of the failure that began the outage.
    const isLikely = this.#isInDoubt && this.pacer.outagePauses > MOST_IN_DOUBT;
    return isLikely && (!this.#isUrlShown || status === 401);
  }

  /**
   * Whether a plant is not sent again after its last try.
   *
   * @param startedAt - When that began.
   * @param isLast - No other plant is left that may show life.
   */
  endsPlant(job: Job<NewPlant>, startedAt: number, isLast: boolean): boolean {
    const { verdict, retryAfterMs, failsAlone, isRefused } = job;
    if (verdict?.plant === "done" || retryAfterMs > this.#maxWaitMs) return true;
    if (failsAlone) return isRefused ? this.#isRefusedTooLong(job, startedAt) : !this.mayRetry(job);
    const isAnsweredToTheEnd = isLast && this.pacer.outagePauses > LAST_PROBES && verdict?.isAnswered === true;
    return isAnsweredToTheEnd && this.#isUrlShown && !isRefused;
  }

  #isRefusedTooLong({ refusedSince, livesBefore }: Job<NewPlant>, startedAt: number): boolean {
    const hasSeenMany = this.#lives - livesBefore >= MANY_LIVES;
    return startedAt - (hasSeenMany ? refusedSince : Math.max(refusedSince, this.#livedAt)) > this.#maxWaitMs;
  }

  /** Whether a plant may be sent once more that fails alone. */
  mayRetry({ retries }: Job<NewPlant>): boolean {
    return retries < this.maxRetries;
  }
}

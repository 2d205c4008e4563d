import type { NewPlant } from "../contract/plant.ts";
import type { Job } from "./job.ts";
import type { Pacer } from "./pacer.ts";

const MAX_WAIT_MS = 600_000;
/** So many failed probes, some ten seconds, or answers without life may be a mistake of the caller. */
const MOST_IN_DOUBT = 5;
/** So many answers without life end a run even if URL and token were right once. */
const MOST_WITHOUT_LIFE = 100;

/**
 * Decides whether a failure ends the run: if there was no life for `maxWaitMs`, or if a mistake of the caller is likely.
 *
 * A created plant, a 409 with the contract's Error and a 429 show that URL and token are right, and a hit of the journal
 * that the URL is. Until then, five failed probes or five answers without life end the run, unless `maxWaitMs` was passed.
 */
export class Patience {
  readonly maxWaitMs: number;
  isUrlShown = false;
  #isInDoubt: boolean;
  /** Answers without life, since the last life. */
  #withoutLife = 0;

  constructor(
    private readonly pacer: Pacer,
    maxWaitMs: number | undefined,
  ) {
    this.#isInDoubt = maxWaitMs === undefined;
    this.maxWaitMs = maxWaitMs ?? MAX_WAIT_MS;
  }

  /**
   * Whether the last try of a plant ends the run.
   *
   * @param startedAt - When it began: only a try that began after `maxWaitMs` shows that nothing has changed, because the
   * process may have been suspended.
   */
  endsAfter({ last, verdict, retryAfterMs }: Job<NewPlant>, startedAt: number): boolean {
    const pace = verdict?.pace;
    const status = last?.error?.status;
    if (pace === "life") this.#withoutLife = 0;
    if (last?.ok || status === 429 || (status === 409 && pace === "life")) {
      this.#isInDoubt = false;
      this.isUrlShown = true;
    }
    if (pace === "no life") return ++this.#withoutLife >= (this.#isInDoubt ? MOST_IN_DOUBT : MOST_WITHOUT_LIFE);
    if (pace !== "refused" && pace !== "trouble") return verdict?.isMistake === true;
    const isTooLong = startedAt - this.pacer.heldUpSince > this.maxWaitMs;
    if (isTooLong || pace === "refused") return isTooLong || retryAfterMs > this.maxWaitMs;
    // The first pause is that of the failure that began the outage.
    const isLikely = this.#isInDoubt && this.pacer.outagePauses > MOST_IN_DOUBT;
    return isLikely && (!this.isUrlShown || status === 401);
  }
}

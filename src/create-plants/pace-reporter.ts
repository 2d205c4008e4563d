import type { Clock } from "../transport/clock.ts";
import { notify } from "../transport/notify.ts";
import type { CreatePlantsPace } from "./options.ts";
import type { Pacer } from "./pacer.ts";

/** A pause that is extended by less than this is not reported again. */
const SAME_PAUSE_MS = 1_000;

/** Reports changes of the pace that are large enough for a person to notice. */
export class PaceReporter {
  readonly #pacer: Pacer;
  readonly #clock: Clock;
  readonly #onPace: (pace: CreatePlantsPace) => void;
  #resumesAt: number | undefined;
  #ratePerSecond: number | undefined;
  #decreases = 0;

  constructor(pacer: Pacer, clock: Clock, onPace: (pace: CreatePlantsPace) => void) {
    this.#pacer = pacer;
    this.#clock = clock;
    this.#onPace = onPace;
  }

  report(): void {
    const { pausedUntil, ratePerSecond, decreases, window } = this.#pacer;
    const now = this.#clock.now();
    const resumesAt = pausedUntil > now ? pausedUntil : undefined;
    if (decreases === this.#decreases && ratePerSecond === this.#ratePerSecond && this.#isSamePause(resumesAt)) return;
    this.#decreases = decreases;
    this.#ratePerSecond = ratePerSecond;
    this.#resumesAt = resumesAt;
    const date = resumesAt === undefined ? undefined : this.#clock.date() + (resumesAt - now);
    notify(this.#onPace, { pausedUntil: date, ratePerSecond, window });
  }

  #isSamePause(resumesAt: number | undefined): boolean {
    if (resumesAt === undefined || this.#resumesAt === undefined) return resumesAt === this.#resumesAt;
    return resumesAt - this.#resumesAt < SAME_PAUSE_MS;
  }
}

import { notify } from "../call/attempt-log.ts";
import type { Clock } from "../call/clock.ts";
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
  #setbacks = 0;

  constructor(pacer: Pacer, clock: Clock, onPace: (pace: CreatePlantsPace) => void) {
    this.#pacer = pacer;
    this.#clock = clock;
    this.#onPace = onPace;
  }

  report(): void {
    const { pausedUntil, ratePerSecond, setbacks, window } = this.#pacer;
    const now = this.#clock.now();
    const resumesAt = pausedUntil > now ? pausedUntil : undefined;
    if (setbacks === this.#setbacks && ratePerSecond === this.#ratePerSecond && this.#isSamePause(resumesAt)) return;
    this.#setbacks = setbacks;
    this.#ratePerSecond = ratePerSecond;
    this.#resumesAt = resumesAt;
    const pausedUntilMs = resumesAt === undefined ? undefined : this.#clock.date() + (resumesAt - now);
    notify(this.#onPace, { pausedUntilMs, ratePerSecond, window });
  }

  #isSamePause(resumesAt: number | undefined): boolean {
    if (resumesAt === undefined || this.#resumesAt === undefined) return resumesAt === this.#resumesAt;
    return resumesAt - this.#resumesAt < SAME_PAUSE_MS;
  }
}

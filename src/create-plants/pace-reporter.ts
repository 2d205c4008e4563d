import type { Clock } from "../call/clock.ts";
import { notify } from "../call/foreign-code.ts";
import type { AnyPlantStoreError } from "../errors.ts";
import type { CreatePlantsPace } from "./options.ts";
import type { Pacer } from "./pacer.ts";

/** Creates the function that reports changes of the pace that are large enough for a person to notice. */
export function createPaceReporter(
  pacer: Pacer,
  clock: Clock,
  onPace: (pace: CreatePlantsPace) => void,
): (trouble?: AnyPlantStoreError) => void {
  /** The last failure that was about the service, not about a plant. */
  let reason: AnyPlantStoreError | undefined;
  let reported = "0";
  return (trouble) => {
    reason = trouble ?? reason;
    const { pausedUntil, ratePerSecond, backoffs, window } = pacer;
    const pauseMs = pausedUntil - clock.now();
    const isPaused = pauseMs > 0;
    // The requests of one flight are refused with pauses that hardly differ.
    const pace = [backoffs, ratePerSecond, isPaused ? Math.floor(pausedUntil / 1000) : ""].join(" ").trim();
    if (pace === reported) return;
    reported = pace;
    const pausedUntilMs = isPaused ? clock.date() + pauseMs : undefined;
    notify(onPace, { pausedUntilMs, error: isPaused ? reason : undefined, ratePerSecond, window });
  };
}

import { notify } from "../call/call.ts";
import type { Clock } from "../call/clock.ts";
import type { AnyPlantStoreError } from "../errors.ts";
import type { CreatePlantsPace } from "./options.ts";
import type { Pacer } from "./pacer.ts";

/** A pause that is extended by less than this is not reported again. */
const SAME_PAUSE_MS = 1_000;

/** Creates the function that reports changes of the pace that are large enough for a person to notice. */
export function createPaceReporter(
  pacer: Pacer,
  clock: Clock,
  onPace: (pace: CreatePlantsPace) => void,
): (trouble?: AnyPlantStoreError) => void {
  /** The last failure that was about the service, not about a plant. */
  let reason: AnyPlantStoreError | undefined;
  let reported: { resumesAt?: number | undefined; ratePerSecond?: number | undefined; backoffs: number } = {
    backoffs: 0,
  };
  return (trouble) => {
    reason = trouble ?? reason;
    const { pausedUntil, ratePerSecond, backoffs, window } = pacer;
    const now = clock.now();
    const resumesAt = pausedUntil > now ? pausedUntil : undefined;
    const isSamePace = backoffs === reported.backoffs && ratePerSecond === reported.ratePerSecond;
    if (isSamePace && isSamePause(reported.resumesAt, resumesAt)) return;
    reported = { resumesAt, ratePerSecond, backoffs };
    const pausedUntilMs = resumesAt === undefined ? undefined : clock.date() + (resumesAt - now);
    const error = resumesAt === undefined ? undefined : reason;
    notify(onPace, { pausedUntilMs, error, ratePerSecond, window });
  };
}

function isSamePause(earlier: number | undefined, later: number | undefined): boolean {
  if (earlier === undefined || later === undefined) return earlier === later;
  return later - earlier < SAME_PAUSE_MS;
}

import { isRefusal } from "../call/verdict.ts";
import type { CreatePlantResult } from "../plant-creator.ts";

/** What the result of one try means for its plant and for the pace. */
export interface Verdict {
  /** Whether the plant has its result, or is sent again. */
  readonly plant: "done" | "again";
  /**
   * The service creates plants (`life`), or refuses this one, which is life, too, but in an outage (`admitted`); it refuses
   * the request for a reason that may be the caller's (`no life`), or for now (`refused`); or something is wrong that other
   * plants may meet, too (`trouble`).
   */
  readonly pace: "life" | "admitted" | "no life" | "refused" | "trouble" | "nothing";
  /** The plant may exist. */
  readonly mayExist?: true;
  /** The service or a gateway has refused the request, and may do so for this plant alone. */
  readonly isAnswered?: true;
  /** A mistake of the caller, which every other plant would meet: the run ends. */
  readonly isMistake?: true;
}

/** The rows of the table in docs/architecture.md. */
export const VERDICTS = {
  life: { plant: "done", pace: "life" },
  admitted: { plant: "done", pace: "admitted" },
  refused: { plant: "again", pace: "refused", isAnswered: true },
  noLife: { plant: "done", pace: "no life" },
  answered: { plant: "again", pace: "trouble", isAnswered: true },
  unreached: { plant: "again", pace: "trouble" },
  retryable: { plant: "again", pace: "trouble", mayExist: true },
  mayExist: { plant: "done", pace: "trouble", mayExist: true },
  nothing: { plant: "done", pace: "nothing" },
  mistake: { plant: "done", pace: "nothing", isMistake: true },
} as const satisfies Record<string, Verdict>;

/** What the contract declares, and others that mean the same in HTTP: about this plant, if the contract's Error says so. */
const ABOUT_THE_PLANT = /* @__PURE__ */ new Set([400, 413, 415, 422]);

/**
 * Judges one try by its own result, not by that of all tries of its plant.
 *
 * @param isAborted - Whether the run has aborted its tries.
 */
export function judge(result: CreatePlantResult, isAborted: boolean): Verdict {
  if (result.ok) return VERDICTS.life;
  const { kind, status = 0, retryAfterMs, retryable } = result.error;
  const hasErrorBody = kind === "api";
  if (kind === "config" || (kind === "token" && !retryable)) return VERDICTS.mistake;
  if (kind === "input" || (kind === "aborted" && isAborted)) return VERDICTS.nothing;
  if (isRefusal(status, retryAfterMs, hasErrorBody)) return VERDICTS.refused;
  // Only a service that knows its plants finds a conflict.
  if (hasErrorBody && status === 409) return VERDICTS.life;
  if (hasErrorBody && ABOUT_THE_PLANT.has(status)) return VERDICTS.admitted;
  if (hasErrorBody && status >= 400 && status < 500 && status !== 401 && status !== 408) return VERDICTS.noLife;
  if (result.outcome === "rejected") return VERDICTS.answered;
  if (result.outcome === "not-sent") return VERDICTS.unreached;
  return retryable ? VERDICTS.retryable : VERDICTS.mayExist;
}

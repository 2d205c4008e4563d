import { isRefusal, worse } from "../call/verdict.ts";
import type { NewPlant, ValidNewPlant } from "../contract/plant.ts";
import type { AnyPlantStoreError } from "../errors.ts";
import { type CreatePlantResult, withHeaders } from "../plant-creator.ts";
import type { Answer } from "./pacer.ts";
import type { CreatePlantsResult } from "./results.ts";

/** One plant of a run, over all its tries. */
export interface Job<Plant extends NewPlant> {
  readonly input: Plant;
  readonly index: number;
  /** How often it was sent. */
  tries: number;
  /** Tries after which another plant was admitted, for any other reason than a refusal. */
  retries: number;
  /** The pacer's count of admissions when its last try failed; undefined after a refusal. */
  admissions?: number | undefined;
  /** Its first refusal: the time, and the pacer's count of admissions. */
  refused?: { readonly since: number; readonly admissions: number } | undefined;
  /** Its fields as they were read for the journal; undefined without one. */
  readonly valid: ValidNewPlant | undefined;
  /** Whether the journal knows that this run sent it, and not what came of it. */
  isClaimed: boolean;
  /** Its result, with the attempts and the worst outcome of all tries; undefined before the first. */
  last: CreatePlantsResult<Plant> | undefined;
}

/** Adds the result of one try: its attempts are numbered on, and its outcome is the worst so far. */
export function addTry<Plant extends NewPlant>(job: Job<Plant>, result: CreatePlantResult): CreatePlantsResult<Plant> {
  const { input, index, last } = job;
  let { attempts } = result;
  if (last) {
    const later = attempts.map((attempt, i) => ({ ...attempt, number: last.attempts.length + i + 1 }));
    attempts = [...last.attempts, ...later];
  }
  if (result.ok) {
    const { ok, plant, status } = result;
    job.last = withHeaders({ ok, plant, status, attempts, input, index }, () => result.headers);
  } else {
    const outcome = worse(last?.outcome ?? "not-sent", result.outcome);
    job.last = { ...result, outcome, attempts, input, index };
  }
  return job.last;
}

/** What the contract declares, and others that mean the same in HTTP: a gateway gives them for this plant, too. */
const ABOUT_THE_PLANT = /* @__PURE__ */ new Set([400, 409, 413, 415, 422]);

/** A mistake of the caller, which every other plant would meet too. */
export function isMistake({ kind, retryable }: AnyPlantStoreError): boolean {
  return kind === "config" || (kind === "token" && !retryable);
}

/** What the result of a try means for the pace. */
export function answerOf(result: CreatePlantResult): Answer {
  if (result.ok) return "admitted";
  const { error } = result;
  const { kind, status = 0, retryAfterMs } = error;
  const hasErrorBody = kind === "api";
  if (kind === "input" || kind === "aborted" || isMistake(result.error)) {
    return result.attempts.length === 0 ? "unsent" : "unanswered";
  }
  if (isRefusal(status, retryAfterMs, hasErrorBody)) return { isRefusal: true, retryAfterMs };
  if (hasErrorBody && status >= 400 && status < 500 && status !== 401 && status !== 408) return "admitted";
  if (ABOUT_THE_PLANT.has(status)) return "answered";
  // What cannot be sent again does not hold up the others for the time that it names.
  if (error.outcome === "unknown" && !error.retryable) return { isRefusal: false, isFinal: true };
  return { isRefusal: false, retryAfterMs };
}

import { worse } from "../call/call.ts";
import type { NewPlant, ValidNewPlant } from "../contract/plant.ts";
import type { Attempt, Outcome } from "../errors.ts";
import { type CreatePlantResult, withHeaders } from "../plant-creator.ts";
import type { CreatePlantsResult } from "./results.ts";

export type FailedResult = Extract<CreatePlantResult, { readonly ok: false }>;

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
  /** The worst of its tries. */
  outcome: Outcome;
  /** Those of all tries. */
  attempts: readonly Attempt[];
  /** Its fields as they were read for the journal; undefined without one. */
  valid?: ValidNewPlant | undefined;
  /** Whether the journal knows that this run sent it, and not what came of it. */
  isClaimed: boolean;
  /** Its result if it is not tried again; undefined before its first try. */
  last?: CreatePlantsResult<Plant> | undefined;
}

export function createJob<Plant extends NewPlant>(input: Plant, index: number): Job<Plant> {
  return { input, index, tries: 0, retries: 0, outcome: "not-sent", attempts: [], isClaimed: false };
}

/** Adds the result of one try: its attempts are numbered on, and its outcome is the worst so far. */
export function addTry<Plant extends NewPlant>(job: Job<Plant>, result: CreatePlantResult): CreatePlantsResult<Plant> {
  const { input, index, attempts: earlier } = job;
  if (earlier.length === 0) job.attempts = result.attempts;
  else {
    const later = result.attempts.map((attempt, i) => ({ ...attempt, number: earlier.length + i + 1 }));
    job.attempts = [...earlier, ...later];
  }
  const { attempts } = job;
  if (result.ok) {
    const { ok, plant, status } = result;
    job.last = withHeaders({ ok, plant, status, attempts, input, index }, () => result.headers);
  } else {
    job.outcome = worse(job.outcome, result.outcome);
    job.last = { ...result, outcome: job.outcome, attempts, input, index };
  }
  return job.last;
}

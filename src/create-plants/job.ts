import { worse } from "../call/call.ts";
import type { NewPlant, ValidNewPlant } from "../contract/plant.ts";
import type { Attempt, Outcome } from "../errors.ts";
import type { CreatePlantResult } from "../plant-creator.ts";
import type { CreatePlantsResult } from "./results.ts";

export type FailedResult = Extract<CreatePlantResult, { readonly ok: false }>;

/** One plant of a run, over all its tries. */
export interface Job<Input extends NewPlant> {
  readonly input: Input;
  readonly index: number;
  /** How often it was sent. */
  tries: number;
  /** Tries after which another plant was admitted, for any other reason than a refusal. */
  retries: number;
  /** The pacer's count of admissions when its last try failed; undefined after a refusal. */
  admissions?: number | undefined;
  /** The time of its first refusal; Infinity if there is none. */
  refusedSince: number;
  /** The worst of its tries. */
  outcome: Outcome;
  /** Those of all tries. */
  attempts: readonly Attempt[];
  /** Its fields as they were read for the journal; undefined without one. */
  valid?: ValidNewPlant | undefined;
  /** Whether the journal knows that this run sent it, and not what came of it. */
  isClaimed: boolean;
  /** The result if it is not tried again; undefined before it was sent. */
  last?: CreatePlantsResult<Input> | undefined;
}

export function createJob<Input extends NewPlant>(input: Input, index: number): Job<Input> {
  const refusedSince = Number.POSITIVE_INFINITY;
  return { input, index, tries: 0, retries: 0, refusedSince, outcome: "not-sent", attempts: [], isClaimed: false };
}

/** Adds the result of one try: its attempts are numbered on, and its outcome is the worst so far. */
export function addTry<Input extends NewPlant>(job: Job<Input>, result: CreatePlantResult): CreatePlantsResult<Input> {
  const { input, index, attempts: earlier } = job;
  if (earlier.length === 0) job.attempts = result.attempts;
  else {
    const later = result.attempts.map((attempt, i) => ({ ...attempt, number: earlier.length + i + 1 }));
    job.attempts = [...earlier, ...later];
  }
  const { attempts } = job;
  if (result.ok) return { ...result, attempts, input, index };
  job.outcome = worse(job.outcome, result.outcome);
  job.last = { ...result, outcome: job.outcome, attempts, input, index };
  return job.last;
}

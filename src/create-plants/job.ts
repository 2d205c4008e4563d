import { worse } from "../call/verdict.ts";
import type { NewPlant, ValidNewPlant } from "../contract/plant.ts";
import { type CreatePlantResult, withHeaders } from "../plant-creator.ts";
import { ofAllTries } from "./failures.ts";
import type { Verdict } from "./judgement.ts";
import type { CreatePlantsResult } from "./results.ts";

/** So often a refused plant is the next one to be sent; later, others go first. */
export const REFUSALS_IN_TURN = 2;

/** One plant of a run, over all its tries. */
export class Job<Plant extends NewPlant> {
  /** Whether the journal knows that this run sent it, and not what came of it. */
  isClaimed = false;
  /** Its result, of all tries; undefined before the first. */
  last: CreatePlantsResult<Plant> | undefined;
  /** The judgement of its last try. */
  verdict: Verdict | undefined;
  /** The number of its last try, and whether others had shown life since the one before. */
  start = 0;
  isAlone = false;
  /** How often it was sent again after others had shown life. */
  retries = 0;
  refusals = 0;
  /** The time of its first refusal, and how many plants had shown life before. */
  refusedSince = 0;
  livesBefore = 0;
  /** While it waits: how many tries of the run have to show life first, and the end of its own pause. */
  turn = 0;
  pausedUntil = 0;

  /** @param valid - Its fields as they were read for the journal; undefined without one. */
  constructor(
    readonly input: Plant,
    readonly index: number,
    readonly valid: ValidNewPlant | undefined,
  ) {}

  /** Whether its last try was refused for now. */
  get isRefused(): boolean {
    return this.verdict?.pace === "refused";
  }

  /** Whether its last try failed for a reason that others did not meet. */
  get failsAlone(): boolean {
    const hasFailed = this.isRefused ? this.refusals > REFUSALS_IN_TURN : this.verdict?.pace === "trouble";
    return this.isAlone && hasFailed;
  }

  /** The wait that the response to its last try asks for. */
  get retryAfterMs(): number {
    return this.last?.error?.retryAfterMs ?? 0;
  }

  /** Adds the result of one try: attempts are numbered on, and outcome and error are those of all tries. */
  add(result: CreatePlantResult): CreatePlantsResult<Plant> {
    const { input, index, last } = this;
    let { attempts } = result;
    if (last) {
      const later = attempts.map((attempt, i) => ({ ...attempt, number: last.attempts.length + i + 1 }));
      attempts = [...last.attempts, ...later];
    }
    if (result.ok) {
      const { ok, plant, status } = result;
      this.last = withHeaders({ ok, plant, status, attempts, input, index }, () => result.headers);
    } else {
      const outcome = worse(last?.outcome ?? "not-sent", result.outcome);
      const error = last ? ofAllTries(result.error, outcome, attempts) : result.error;
      this.last = { ...result, error, outcome, attempts, input, index };
    }
    return this.last;
  }
}

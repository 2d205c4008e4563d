import { inputError } from "../call/to-error.ts";
import { kindOf } from "../checks/describe.ts";
import { isRecord } from "../checks/objects.ts";
import type { Issue } from "../checks/schema.ts";
import {
  type AnyPlantStoreError,
  type Attempt,
  CLASSES,
  isPlantStoreError,
  type Outcome,
  PlantStoreAbortError,
  type PlantStoreErrorInit,
  PlantStoreInterruptedError,
} from "../errors.ts";
import { createPlant } from "../operations/create-plant.ts";
import { type CreatePlantResult, type FailedResult, failedBy } from "../plant-creator.ts";

/** The result of a plant that the run does not send, because it ended. */
export function neverSent(cause: unknown): FailedResult {
  const message = "The plant was not sent: the run ended before its turn";
  return failedBy(new PlantStoreAbortError({ message, outcome: "not-sent", cause }));
}

/** The result of a plant whose creator threw. */
export function creatorFailed(cause: unknown): FailedResult {
  const message = "The creator failed, and may have sent the plant before";
  return failedBy(new PlantStoreAbortError({ message, outcome: "unknown", cause }));
}

/** The result of a plant that breaks the contract. */
export function invalid(issues: readonly Issue[]): FailedResult {
  return failedBy(inputError(createPlant.inputName, issues));
}

/** The result of a plant that differs from the one that was created with its id. */
export function changed(): FailedResult {
  const message = "is that of a plant that was created with another name or tag: restore these, or choose another id";
  return invalid([{ path: ["id"], rule: "journal", message }]);
}

/** The result of a plant that the journal does not know the end of. */
export function interrupted(id: number | bigint): FailedResult {
  const what = `The plant with id ${id} may have been sent before, and the journal does not say what came of it`;
  const message = `${what}: check the store, and resolve it in the journal`;
  return failedBy(new PlantStoreInterruptedError({ message, outcome: "unknown" }));
}

const OUTCOMES: readonly unknown[] = ["not-sent", "rejected", "unknown"];

/**
 * Checks what a creator resolved to: a wrapper in an application may forget to return the result, return a plant, or make a
 * result of its own.
 *
 * @throws A TypeError that says what is missing.
 */
export function readResult(result: CreatePlantResult): CreatePlantResult {
  const { ok, error, outcome, attempts }: Partial<Record<keyof FailedResult, unknown>> = Object(result);
  if (typeof ok !== "boolean") throw wrongResult(kindOf(result));
  if (!ok && !isRecord(error)) throw wrongResult("a result without its error");
  if (!ok && !OUTCOMES.includes(outcome)) throw wrongResult("a result without its outcome");
  if (!Array.isArray(attempts)) throw wrongResult("a result without its attempts");
  return result;
}

function wrongResult(received: string): TypeError {
  const expected = "tryCreatePlant of the creator must resolve to the result of the client's";
  return new TypeError(`${expected}; it resolved to ${received}: return the result`);
}

/**
 * The error of a plant that was sent more than once: that of the last try, with outcome and attempts of all tries. It is of
 * this library's class, because one that an application derives may have another constructor. A fake may have an error of
 * its own.
 */
export function ofAllTries(error: AnyPlantStoreError, outcome: Outcome, attempts: readonly Attempt[]) {
  if (!isPlantStoreError(error) || !Object.hasOwn(CLASSES, error.kind)) return error;
  const { kind, cause } = error;
  const isWorse = outcome === "unknown" && error.outcome !== "unknown";
  const message = isWorse ? `${error.message}; an earlier try may have created the plant` : error.message;
  const Class = CLASSES[kind] as new (init: PlantStoreErrorInit) => AnyPlantStoreError;
  return new Class({ ...error, cause, message, outcome, attempts });
}

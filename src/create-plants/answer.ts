import { isRefusal } from "../call/verdict.ts";
import type { AnyPlantStoreError } from "../errors.ts";
import type { CreatePlantResult } from "../plant-creator.ts";
import type { Answer } from "./pacer.ts";

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

import { isPlantStoreError, type PlantCreator } from "plant-store-client";
import { isRefusedPlant } from "../import-plants/account.ts";
import { type PlantJob, plantOf } from "./jobs.ts";
import type { Ledger } from "./ledger.ts";

/**
 * Processes one job. It may be called again for the same job at any time: after a crash, a stall, or an error that it
 * threw itself.
 *
 * @throws {@link PlantStoreError} if the plant was not created, for a reason that is not the plant.
 */
export async function createPlantJob(
  job: PlantJob,
  client: Pick<PlantCreator, "tryCreatePlant">,
  ledger: Ledger,
): Promise<string> {
  const { row } = job;
  const known = await ledger.claim(row);
  if (known) return `not sent again, it is ${known.state}`;

  const result = await client.tryCreatePlant(plantOf(job));
  if (result.ok) {
    await ledger.settle(row, { state: "created" });
    return "created";
  }
  const { error } = result;
  if (error.outcome === "unknown") {
    await ledger.settle(row, { state: "sending", reason: error.message });
    return `parked: ${error.message}`;
  }
  if (isRefusedPlant(error)) {
    await ledger.settle(row, { state: "refused", reason: error.message });
    return `refused: ${error.message}`;
  }
  await ledger.release(row);
  throw error;
}

/** Whether a plant that was not created may be created soon: the service is unavailable, or no token was issued. */
export function isWorthAnotherTry(error: unknown): boolean {
  return isPlantStoreError(error) && ["connection", "timeout", "token"].includes(error.kind);
}

/** How long to pause if the service does not say. */
const PAUSE_MS = 1_000;

/** The pause that the service asks for, if it refused the caller and not the plant. */
export function pauseAfter(error: unknown): number | undefined {
  if (!isPlantStoreError(error) || (error.kind !== "api" && error.kind !== "response")) return undefined;
  if (error.outcome !== "rejected" || (error.status !== 429 && error.status !== 503)) return undefined;
  return Math.max(error.retryAfterMs ?? PAUSE_MS, 1);
}

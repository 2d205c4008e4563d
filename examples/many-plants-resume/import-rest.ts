import { type AnyPlantStoreError, createPlants, type NewPlant, type PlantStoreClient } from "plant-store-client";
import { Checkpoint, type State } from "./checkpoint.ts";

/** The ids, as text, of the plants that were not created, or may not have been. */
export interface Leftover {
  /** They were not created, for a reason that is not the plant: the next call sends them again. */
  readonly notCreated: string[];
  /** The service refused them. */
  readonly refused: string[];
  /** They were sent, and may exist: no program can know. */
  readonly mayExist: string[];
  /** Another plant with the same id came before them in the list. They were not sent, because ids tell plants apart. */
  readonly repeated: string[];
}

/**
 * Creates the plants without a result in the checkpoint. Call it again after a crash, or while `notCreated` is
 * not empty, with the same plants and the same file: a plant is sent again only if it does not exist. Use a file in one
 * process at a time.
 */
// #region import
export async function importRest(
  client: PlantStoreClient,
  plants: Iterable<NewPlant> | AsyncIterable<NewPlant>,
  path: string,
): Promise<Leftover> {
  const checkpoint = await Checkpoint.open(path);
  const repeated = new Set<string>();
  try {
    for await (const result of createPlants(client, rest(plants, checkpoint, repeated))) {
      await checkpoint.write(result.input.id, result.ok ? "created" : stateAfter(result.error));
    }
  } finally {
    await checkpoint.close();
  }
  return {
    notCreated: checkpoint.idsOf("open"),
    refused: checkpoint.idsOf("refused"),
    mayExist: checkpoint.idsOf("sent", "unknown"),
    repeated: [...repeated],
  };
}

/** The plants that may be sent. Each is recorded as sent before its POST, so that a crash after it leaves a trace. */
async function* rest(
  plants: Iterable<NewPlant> | AsyncIterable<NewPlant>,
  checkpoint: Checkpoint,
  repeated: Set<string>,
): AsyncGenerator<NewPlant> {
  const seen = new Set<string>();
  for await (const plant of plants) {
    const id = `${plant.id}`;
    if (seen.has(id)) {
      repeated.add(id);
      continue;
    }
    seen.add(id);
    const state = checkpoint.stateOf(plant.id);
    if (state !== undefined && state !== "open") continue;
    await checkpoint.write(plant.id, "sent");
    // A copy, because a list may use one object for all of its plants.
    yield { id: plant.id, name: plant.name, tag: plant.tag };
  }
}

function stateAfter(error: AnyPlantStoreError): State {
  if (error.outcome === "unknown") return "unknown";
  const isRefused = error.kind === "input" || (error.kind === "api" && error.status === 400);
  return isRefused ? "refused" : "open";
}
// #endregion import

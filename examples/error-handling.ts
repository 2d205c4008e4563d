// How an application handles each error: inform the user, try again, or ask a person to check.

import { type AnyPlantStoreError, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";

// #region advise
function advise(error: AnyPlantStoreError): string {
  // The most important question after a failed create: may the plant exist now?
  if (error.outcome === "unknown")
    return `check the store before you send it again (${error.kind})`;
  switch (error.kind) {
    case "input":
      return error.issues
        .map(({ path, message }) => `correct ${path.join(".")}: it ${message}`)
        .join("; ");
    case "api":
      return `refused with ${error.status}, code ${error.code}: ${error.body.message}`;
    case "response":
      return `unexpected response with status ${error.status} (${error.reason})`;
    case "connection":
      return "not created: try again when the service is back";
    case "timeout":
      return `not created within ${error.timeoutMs} ms: try again`;
    case "aborted":
      return "it was canceled before it was created";
    case "token":
      return "not created: log in again";
    case "config":
      return `correct the option ${error.option}`;
    case "interrupted":
      return "it may have been sent before: check the store";
    default:
      return impossible(error);
  }
}

/** A kind without a case above is a compiler error here. */
function impossible(error: never): never {
  throw new Error(`unexpected error: ${String(error)}`);
}
// #endregion advise

const store = createMockPlantStore();
const client = new PlantStoreClient({ ...store.clientOptions, maxRetries: 0 });

async function create(id: number, name: string): Promise<void> {
  const result = await client.tryCreatePlant({ id, name });
  console.log(result.ok ? `${name}: created` : `${name}: ${advise(result.error)}`);
}

await create(1, "Aloe vera");
await create(1.5, "Agave americana");
store.inject(faults.apiError(17, "the greenhouse is full"));
await create(2, "Opuntia ficus-indica");
store.inject(faults.connectionRefused());
await create(3, "Crassula ovata");
store.inject(faults.lostResponse());
await create(4, "Sedum acre");

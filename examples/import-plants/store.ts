import { PlantStoreClient } from "plant-store-client";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { UsageError } from "./arguments.ts";

/** The store that the plants go to. */
export interface Store {
  readonly name: string;
  readonly client: PlantStoreClient;
  close(): Promise<void>;
}

/**
 * The service that the environment names, or else the mock, on a real port of this machine.
 *
 * @throws {@link UsageError} if the environment has only one of the address and the token: plants for a real store must
 * not go to a mock.
 */
export async function openStore(environment: NodeJS.ProcessEnv): Promise<Store> {
  const { PLANT_STORE_BASE_URL: baseUrl, PLANT_STORE_TOKEN: token } = environment;
  if (baseUrl && token) {
    return { name: baseUrl, client: new PlantStoreClient({ baseUrl, token }), close: async () => {} };
  }
  if (baseUrl || token) {
    const [given, missing] = baseUrl
      ? ["PLANT_STORE_BASE_URL", "PLANT_STORE_TOKEN"]
      : ["PLANT_STORE_TOKEN", "PLANT_STORE_BASE_URL"];
    throw new UsageError(`${given} is set and ${missing} is not: set both for a service, none for the mock`);
  }
  const mock = await startMockPlantStore({ duplicateIds: "reject" });
  return {
    name: `the embedded mock at ${mock.baseUrl}`,
    client: new PlantStoreClient(mock.clientOptions),
    close: () => mock.close(),
  };
}

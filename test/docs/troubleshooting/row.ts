import { PlantStoreClient, type PlantStoreClientOptions } from "plant-store-client";
import { createMockPlantStore, type Fault, faults, type MockPlantStoreOptions } from "plant-store-client/mock";

/** One message of the troubleshooting table. */
export interface Row {
  /** Fails as an application would, and returns the message. */
  readonly produce: () => Promise<string>;
  readonly meaning: string;
  readonly fix: string;
}

/** Rows of the same kind. */
export interface Group {
  readonly title: string;
  readonly rows: readonly Row[];
}

export const PLANT = { id: 1, name: "Ficus lyrata" };

/** The message of the error that an action throws. */
export async function messageOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It did not fail.");
}

/** The message of a client whose mock has a fault. */
export const creating =
  (fault?: Fault, overrides: PlantStoreClientOptions = {}, options: MockPlantStoreOptions = {}) =>
  () => {
    const store = createMockPlantStore(options);
    if (fault) store.inject(fault);
    return messageOf(() =>
      new PlantStoreClient({ ...store.clientOptions, maxRetries: 0, ...overrides }).createPlant(PLANT),
    );
  };

/** The message if `fetch` fails as Node's does: with a cause, here one about this request. */
export const failing = (message: string, properties: { code: string; syscall?: string }) => {
  const { hostname } = new URL(createMockPlantStore().baseUrl);
  const cause = Object.assign(new Error(message), properties, { hostname, port: 443 });
  return creating(undefined, { fetch: () => Promise.reject(new TypeError("fetch failed", { cause })) });
};

/** The message after a response of any kind. */
export const receiving = (status: number, headers: Record<string, string>, body?: unknown) =>
  creating(faults.reply({ status, headers, body }));

import {
  type HttpMockPlantStore,
  type StartMockPlantStoreOptions,
  startMockPlantStore,
} from "plant-store-client/mock/http";
import { afterAll, afterEach } from "vitest";

/** A mock on a port for all tests of a file, which is reset after each. */
export async function sharedMock(options?: StartMockPlantStoreOptions): Promise<HttpMockPlantStore> {
  const mock = await startMockPlantStore(options);
  afterEach(() => mock.reset());
  afterAll(() => mock.close());
  return mock;
}

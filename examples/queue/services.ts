import { startMockPlantStore } from "plant-store-client/mock/http";
import { startRedis } from "./redis.ts";

/** The variables of a real import. */
const NAMES = ["REDIS_URL", "PLANT_STORE_BASE_URL", "PLANT_STORE_TOKEN"] as const;

/** Where things are: the environment of a worker. */
export type Services = Record<(typeof NAMES)[number], string>;

/**
 * The Redis and the service that the environment names; without any of them, a trial: a Redis of its own and the mock.
 *
 * @throws Error if the environment has only some of them: plants for a real service must not go to a mock, and the ledger
 * of a real import must outlast this program.
 */
export async function openServices(environment: NodeJS.ProcessEnv): Promise<Services & { stop(): Promise<void> }> {
  const missing = NAMES.filter((name) => !environment[name]);
  if (missing.length === 0) return { ...(environment as Services), stop: async () => {} };
  if (missing.length < NAMES.length) {
    throw new Error(`${missing.join(" and ")} not set; set all of ${NAMES.join(", ")}, or none of them for a trial`);
  }
  const redis = await startRedis();
  const store = await startMockPlantStore({ duplicateIds: "reject" });
  return {
    REDIS_URL: redis.url,
    PLANT_STORE_BASE_URL: store.url,
    PLANT_STORE_TOKEN: store.token,
    stop: async () => {
      await store.close();
      await redis.stop();
    },
  };
}

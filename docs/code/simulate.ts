import { createPlants, PlantStoreClient } from "plant-store-client";
import { simulate } from "plant-store-client/mock";

// #region right
const summary = await simulate(async ({ plants, clientOptions }) => {
  const created: (number | bigint)[] = [];
  const failed: (number | bigint)[] = [];
  const unknown: (number | bigint)[] = [];
  const lists = { "not-sent": failed, rejected: failed, unknown };
  for await (const result of createPlants(new PlantStoreClient(clientOptions), plants)) {
    (result.ok ? created : lists[result.outcome]).push(result.input.id);
  }
  return { created, failed, unknown };
});
console.log(summary.runs); // 1000
// #endregion right

// Creates plants against a service that restarts, and prints how each call ended. It runs in the runtime under test.
import { createPlants, PlantStoreClient } from "plant-store-client";

const { baseUrl, plants, concurrency, isUndici } = JSON.parse(process.argv[2]);
const undici = isUndici ? (await import("plant-store-client/undici")).createUndiciFetch() : undefined;
const client = new PlantStoreClient({ baseUrl, token: "secret", fetch: undici });

function* numbered() {
  for (let id = 1; id <= plants; id++) yield { id, name: "Fern" };
}

/** The ids that were not created, by outcome. */
const failed = { unknown: [], rejected: [], "not-sent": [] };
const causes = {};
for await (const result of createPlants(client, numbered(), { concurrency })) {
  const { ok, outcome, error, attempts, input } = result;
  if (ok) continue;
  failed[outcome].push(input.id);
  const cause = `${outcome} ${attempts.at(-1)?.code ?? error.message}`;
  causes[cause] = (causes[cause] ?? 0) + 1;
}
await undici?.close();
console.log(JSON.stringify({ failed, causes }));

import {
  createPlants,
  PlantStoreAbortError,
  PlantStoreApiError,
  PlantStoreClient,
  PlantStoreConfigError,
  PlantStoreConnectionError,
  PlantStoreInputError,
  PlantStoreInterruptedError,
  PlantStoreResponseError,
  PlantStoreTimeoutError,
  PlantStoreTokenError,
} from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";

const store = createMockPlantStore();
const client = new PlantStoreClient({ ...store.clientOptions, maxRetries: 0 });
const plant = { id: 1, name: "Ficus lyrata" };

// #region config
try {
  new PlantStoreClient({ baseUrl: "plants.example", token: "a-token" });
} catch (error) {
  if (error instanceof PlantStoreConfigError) console.log(error.option); // baseUrl
}
// #endregion config

// #region input
const input = await client.tryCreatePlant({ id: 1.5, name: "Ficus lyrata" });
if (!input.ok && input.error instanceof PlantStoreInputError) {
  console.log(input.error.issues[0]?.path); // [ 'id' ]
}
// #endregion input

// #region token
const tokenless = new PlantStoreClient({
  ...store.clientOptions,
  token: () => Promise.reject(new Error("log in")),
});
const token = await tokenless.tryCreatePlant(plant);
if (!token.ok && token.error instanceof PlantStoreTokenError) {
  console.log(`${token.error.cause}`); // Error: log in
}
// #endregion token

// #region api
store.inject(faults.apiError(17, "the greenhouse is full"));
const api = await client.tryCreatePlant(plant);
if (!api.ok && api.error instanceof PlantStoreApiError) {
  console.log(api.error.status, api.error.code); // 400 17
}
// #endregion api

// #region response
const headers = { "Content-Type": "text/html" };
store.inject(faults.reply({ status: 200, headers, body: "<h1>Log in</h1>" }));
const response = await client.tryCreatePlant(plant);
if (!response.ok && response.error instanceof PlantStoreResponseError) {
  console.log(response.error.reason); // media-type
}
// #endregion response

// #region connection
store.inject(faults.connectionRefused());
const connection = await client.tryCreatePlant(plant);
if (!connection.ok && connection.error instanceof PlantStoreConnectionError) {
  console.log(connection.error.outcome); // not-sent
}
// #endregion connection

// #region timeout
store.inject(faults.hang());
const timeout = await client.tryCreatePlant(plant, { timeoutMs: 20 });
if (!timeout.ok && timeout.error instanceof PlantStoreTimeoutError) {
  console.log(timeout.error.timeoutMs); // 20
}
// #endregion timeout

// #region aborted
const signal = AbortSignal.abort(new Error("the person left the page"));
const aborted = await client.tryCreatePlant(plant, { signal });
if (!aborted.ok && aborted.error instanceof PlantStoreAbortError) {
  console.log(aborted.error.cause === signal.reason); // true
}
// #endregion aborted

// #region interrupted
// A journal that knows the plant only as sent.
const journal = { claim: () => "unknown" as const, record() {} };
for await (const { ok, error } of createPlants(client, [plant], { journal })) {
  if (!ok && error instanceof PlantStoreInterruptedError) console.log(error.outcome); // unknown
}
// #endregion interrupted

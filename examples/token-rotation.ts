// Tokens that expire: after a 401 the client asks for a new token, and sends the plant again.

import { PlantStoreClient, type TokenProvider } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";

// In place of the service that issues tokens; only the newest one is valid.
let issued = 0;
const issueToken = async (_signal: AbortSignal): Promise<string> => `token-${++issued}`;
const isNewest = (token: string) => token === `token-${issued}`;
const store = createMockPlantStore({ auth: { tokens: isNewest } });

// #region provider
let cached: string | undefined;

/** Keeps a token until the service refuses it. Calls that wait at once share one promise. */
const token: TokenProvider = async ({ rejectedToken, signal }) => {
  if (cached === undefined || cached === rejectedToken) cached = await issueToken(signal);
  return cached;
};

const client = new PlantStoreClient({ ...store.clientOptions, token });
// #endregion provider

await client.createPlant({ id: 1, name: "Orchis mascula" });
console.log(`created with ${cached}`);

// The old token is no longer valid, and the client does not know it.
await issueToken(new AbortController().signal);

const result = await client.tryCreatePlant({ id: 2, name: "Ophrys apifera" });
const statuses = result.attempts.map(({ status }) => status);
console.log(`created with ${cached}, after ${statuses.join(" and ")}`);

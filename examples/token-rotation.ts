// Tokens that expire: the client asks for a new one when the service refuses the old one, and sends the plant again.

import { PlantStoreClient, type TokenProvider } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";

// In place of the service that issues tokens; only the newest one is valid.
let issued = 0;
const issueToken = async (_signal: AbortSignal): Promise<string> => `token-${++issued}`;
const store = createMockPlantStore({ auth: { tokens: (token) => token === `token-${issued}` } });

// #region provider
let cached: string | undefined;

/** Keeps a token until the service has refused it. Calls that wait at the same time share one call of this. */
const token: TokenProvider = async ({ rejectedToken, signal }) => {
  if (cached === undefined || cached === rejectedToken) cached = await issueToken(signal);
  return cached;
};

const client = new PlantStoreClient({ ...store.clientOptions, token });
// #endregion provider

await client.createPlant({ id: 1, name: "Orchis mascula" });
console.log(`created with ${cached}`);

await issueToken(new AbortController().signal); // the old token is no longer valid, and the client does not know it

const result = await client.tryCreatePlant({ id: 2, name: "Ophrys apifera" });
console.log(`created with ${cached}, after ${result.attempts.map(({ status }) => status).join(" and ")}`);

import { inspect } from "node:util";
import { PlantStoreClient, type TokenProvider } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";

const store = createMockPlantStore({ auth: { tokens: ["monday-0123456789abcdef", "tuesday-0123456789abcdef"] } });

const client = new PlantStoreClient({ ...store.clientOptions, token: "monday-0123456789abcdef" });
await client.createPlant({ id: 1, name: "Orchis mascula" });
console.log(inspect(client, { showHidden: true }).includes("monday")); // false
console.log(store.requests.last?.headers.authorization); // Bearer token#1

const issueToken = async (_signal: AbortSignal): Promise<{ access_token: string; expires_in: number }> => ({
  access_token: "tuesday-0123456789abcdef",
  expires_in: 3600,
});

let token = "";
let expiresAt = 0;

const provider: TokenProvider = async ({ rejectedToken, signal }) => {
  if (token === rejectedToken || Date.now() > expiresAt - 60_000) {
    const issued = await issueToken(signal);
    token = issued.access_token;
    expiresAt = Date.now() + issued.expires_in * 1000;
  }
  return token;
};
const rotating = new PlantStoreClient({ ...store.clientOptions, token: provider });
await rotating.createPlant({ id: 2, name: "Ophrys apifera" });
console.log(store.plants.size); // 2

const failing = new PlantStoreClient({
  ...store.clientOptions,
  token: () => Promise.reject(new Error("the login service is down")),
});
const result = await failing.tryCreatePlant({ id: 3, name: "Ophrys insectifera" });
if (!result.ok) console.log(result.error.kind, result.error.outcome, `${result.error.cause}`); // token not-sent Error: the login service is down

const session = store.session({ tokens: ["first", "second"] });
const tokens = ["first", "second"];
const rotated = new PlantStoreClient({ ...session.clientOptions, token: () => tokens.shift() ?? "none" });
await rotated.createPlant({ id: 4, name: "Ophrys fusca" });
await rotated.createPlant({ id: 5, name: "Ophrys lutea" });
console.log(session.plants.size); // 2

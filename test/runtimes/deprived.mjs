// If Deno denies access to the environment, the client names the missing options, and works if they are passed.
import { PlantStoreClient } from "plant-store-client";

const { addresses } = JSON.parse(process.argv[2]);
const name = "works without leave to read the environment";
try {
  await new PlantStoreClient({ baseUrl: `${addresses.service}/create/deprived`, token: "secret" }).createPlant({
    id: 7,
    name: "Fern",
  });
  new PlantStoreClient({ token: "secret" });
  console.log(JSON.stringify([{ name, problem: "It made a client without a base URL" }]));
} catch (error) {
  const isRight = error.kind === "config" && error.option === "baseUrl";
  console.log(JSON.stringify([isRight ? { name } : { name, problem: `${error.stack}` }]));
}

// Not run: it needs the service.
import { PlantStoreClient } from "plant-store-client";

const client = new PlantStoreClient({
  baseUrl: "https://plants.example/v1",
  token: process.env.MY_TOKEN,
});
await client.createPlant({ id: 1, name: "Monstera deliciosa", tag: "climber" });

// The application under test: a form that creates a plant, and a line that shows the result.

import { type CreatePlantResult, PlantStoreClient, type PlantStoreClientOptions } from "plant-store-client";

declare global {
  interface Window {
    /** Where the service is, and the token: the page that includes this script knows. */
    plantStore: PlantStoreClientOptions;
  }
}

const client = new PlantStoreClient(window.plantStore);
const form = document.querySelector("form") as HTMLFormElement;
const status = document.querySelector("[role=status]") as HTMLElement;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(form);
  const plant = { id: BigInt(String(fields.get("id"))), name: String(fields.get("name")) };
  status.textContent = explain(await client.tryCreatePlant(plant));
});

function explain(result: CreatePlantResult): string {
  if (result.ok) return `${result.plant.name} is planted.`;
  const { error } = result;
  if (error.outcome === "unknown") return "It may be planted: please look before you plant it again.";
  return `Not planted: ${error.kind === "api" ? error.body.message : error.message}`;
}

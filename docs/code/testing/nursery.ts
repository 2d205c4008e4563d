import type { PlantCreator } from "plant-store-client";

export async function label(client: Pick<PlantCreator, "tryCreatePlant">, id: number, name: string): Promise<string> {
  const result = await client.tryCreatePlant({ id, name });
  if (result.ok) return `${name} is in bed ${id}`;
  return result.error.outcome === "unknown" ? `look for ${name} in bed ${id}` : `bed ${id} stays empty`;
}

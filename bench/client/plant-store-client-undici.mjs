/** This package over `createUndiciFetch()`. */
export default async ({ baseUrl, token, dist }) => {
  const { PlantStoreClient } = await import(dist);
  const { createUndiciFetch } = await import(dist.replace("index.js", "undici.js"));
  const client = new PlantStoreClient({ baseUrl, token, fetch: createUndiciFetch() });
  return (plant) => client.createPlant(plant);
};

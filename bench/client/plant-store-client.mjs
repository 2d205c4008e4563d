/** This package with its default options. */
export default async ({ baseUrl, token, fetch, dist }) => {
  const { PlantStoreClient } = await import(dist);
  const client = new PlantStoreClient({ baseUrl, token, fetch });
  return (plant) => client.createPlant(plant);
};

// One call of one client, which the worker repeats.
import { stubs } from "./stubs.mjs";

const PLANT = { id: 42, name: "Monstera deliciosa", tag: "araceae" };
const TOKEN = "0123456789abcdef0123456789abcdef";

export default async function setup({ client, stub, baseUrl = "http://127.0.0.1:9/v1", dist }) {
  const fetch = stub ? stubs[stub] : undefined;
  const { default: create } = await import(`./${client}.mjs`);
  const createPlant = await create({ baseUrl, token: TOKEN, fetch, dist });
  const plant = await createPlant(PLANT);
  if (plant.name !== PLANT.name || plant.tag !== PLANT.tag) throw new Error(`${client} did not return the plant`);
  return () => createPlant(PLANT);
}

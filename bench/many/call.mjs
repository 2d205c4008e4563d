// Many creates at once: a slice of the plants is one call of the worker.
import rawFetch from "../client/raw-fetch-deadline.mjs";

const TOKEN = "0123456789abcdef0123456789abcdef";

function* plants(count) {
  for (let id = 1; id <= count; id++) yield { id, name: `Monstera ${id}`, tag: "araceae" };
}

/** The code by hand: a number of loops over one iterator. */
async function pool(create, input, concurrency) {
  let done = 0;
  const loop = async () => {
    for (const plant of input) {
      await create(plant);
      done++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return done;
}

async function viaCreatePlants(createPlants, client, input, concurrency) {
  let done = 0;
  for await (const result of createPlants(client, input, { concurrency })) {
    if (!result.ok) throw result.error;
    done++;
  }
  return done;
}

const runners = {
  "pool-fetch": async ({ baseUrl }) => {
    const create = rawFetch({ baseUrl, token: TOKEN });
    return (input, concurrency) => pool(create, input, concurrency);
  },
  "pool-undici": async ({ baseUrl }) => {
    // Imported only here: once undici is loaded, the global `fetch` sends through its Agent instead of Node's own.
    const { default: undiciRequest } = await import("../client/undici-request-deadline.mjs");
    const create = undiciRequest({ baseUrl, token: TOKEN });
    return (input, concurrency) => pool(create, input, concurrency);
  },
  "create-plants": async ({ baseUrl, dist }) => {
    const { createPlants, PlantStoreClient } = await import(dist);
    const client = new PlantStoreClient({ baseUrl, token: TOKEN });
    return (input, concurrency) => viaCreatePlants(createPlants, client, input, concurrency);
  },
  "create-plants-undici": async ({ baseUrl, dist }) => {
    const { createPlants, PlantStoreClient } = await import(dist);
    const { createUndiciFetch } = await import(dist.replace("index.js", "undici.js"));
    const client = new PlantStoreClient({ baseUrl, token: TOKEN, fetch: createUndiciFetch() });
    return (input, concurrency) => viaCreatePlants(createPlants, client, input, concurrency);
  },
};

export default async function setup({ runner, concurrency, slice, ...rest }) {
  const create = await runners[runner](rest);
  return async () => {
    const done = await create(plants(slice), concurrency);
    if (done !== slice) throw new Error(`${done} of ${slice} plants were created`);
  };
}

// How clients differ in what they do, not in speed: `node bench/compare.mjs`.
// Each calls the same server with its default settings; only the deadline is set if the client has one.
import { createServer } from "node:http";
import { inspect } from "node:util";
import { createConfig, createClient as createHeyApiClient } from "@hey-api/client-fetch";
import axios from "axios";
import ky from "ky";
import { createFetch } from "ofetch";
import OpenAI from "openai";
import createOpenapiFetchClient from "openapi-fetch";
import { build, dist } from "./lib/build.mjs";

const TOKEN = "a-token-that-nobody-may-see";
const TIMEOUT_MS = 500;
const ID = 9223372036854775807n;

build();
const { PlantStoreClient } = await import(dist("index.js"));

/** Each way: a client, as a program would log it, and a function that creates a plant with it. */
const ways = {
  "plant-store-client": (baseUrl) => {
    const client = new PlantStoreClient({ baseUrl, token: TOKEN, timeoutMs: TIMEOUT_MS });
    return { client, create: (plant) => client.createPlant(plant) };
  },
  "fetch by hand": (baseUrl) => ({
    client: undefined,
    create: async (plant) => {
      const response = await fetch(`${baseUrl}/plants`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify(plant),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`${response.status}`);
      return response.json();
    },
  }),
  "openapi-fetch": (baseUrl) => {
    const client = createOpenapiFetchClient({ baseUrl, headers: { authorization: `Bearer ${TOKEN}` } });
    return {
      client,
      create: async (plant) => {
        const { data, error } = await client.POST("/plants", { body: plant, signal: AbortSignal.timeout(TIMEOUT_MS) });
        if (error !== undefined) throw error;
        return data;
      },
    };
  },
  "hey-api": (baseUrl) => {
    const client = createHeyApiClient(createConfig({ baseUrl, auth: TOKEN }));
    return {
      client,
      create: async (plant) => {
        const { data } = await client.post({
          url: "/plants",
          security: [{ scheme: "bearer", type: "http" }],
          headers: { "Content-Type": "application/json" },
          body: plant,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          throwOnError: true,
        });
        return data;
      },
    };
  },
  ofetch: (baseUrl) => {
    const client = createFetch({ fetch, Headers }).create({
      baseURL: baseUrl,
      headers: { authorization: `Bearer ${TOKEN}` },
      timeout: TIMEOUT_MS,
    });
    return { client, create: (plant) => client("/plants", { method: "POST", body: plant }) };
  },
  ky: (baseUrl) => {
    const client = ky.create({ headers: { authorization: `Bearer ${TOKEN}` }, timeout: TIMEOUT_MS });
    return { client, create: (plant) => client.post(`${baseUrl}/plants`, { json: plant }).json() };
  },
  axios: (baseUrl) => {
    const client = axios.create({
      baseURL: baseUrl,
      headers: { Authorization: `Bearer ${TOKEN}` },
      timeout: TIMEOUT_MS,
      proxy: false,
    });
    return { client, create: async (plant) => (await client.post("/plants", plant)).data };
  },
  // The core of a generated SDK with the address of this service.
  "openai SDK": (baseUrl) => {
    const client = new OpenAI({ baseURL: baseUrl, apiKey: TOKEN, timeout: TIMEOUT_MS, logLevel: "off" });
    return { client, create: (plant) => client.post("/plants", { body: plant }) };
  },
};

/** The server's behaviors once it has read the body of a request. */
const replies = {
  plant: (response) => json(response, 200, '{"name":"x"}'),
  lost: (response) => response.socket.destroy(),
  unavailable: (response) => json(response, 503, '{"error":1,"message":"away"}'),
  refused: (response) => json(response, 400, '{"error":7,"message":"the id is taken"}'),
  html: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Please log in</h1>"),
  "no plant": (response) => json(response, 200, '{"title":"x"}'),
  stalled: (response) => response.writeHead(200, { "content-type": "application/json" }).write('{"na'),
};

function json(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}

/** One create against one behavior: the result, and the bodies that the server received. */
async function meet(makeWay, reply, plant = { id: 1, name: "x" }) {
  const bodies = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      bodies.push(body);
      replies[reply](response);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { client, create } = makeWay(`http://127.0.0.1:${server.address().port}`);
  const settled = (async () => create(plant))().then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  // Some have a deadline for each attempt: three attempts, and the waits between them.
  const patience = new Promise((resolve) => setTimeout(resolve, 8 * TIMEOUT_MS, { isHanging: true }));
  const result = await Promise.race([settled, patience]);
  server.closeAllConnections();
  server.close();
  return { ...result, client, bodies };
}

const isError = ({ error, isHanging }) => (isHanging ? "hangs" : error === undefined ? "resolves" : "error");

const rows = {
  "POSTs sent when the response is lost": async (way) => `${(await meet(way, "lost")).bodies.length}`,
  "POSTs sent after a 503": async (way) => `${(await meet(way, "unavailable")).bodies.length}`,
  "the error says whether the plant may exist": async (way) =>
    (await meet(way, "lost")).error?.outcome === undefined ? "no" : "yes",
  "400: the service's message is the error's": async (way) =>
    (await meet(way, "refused")).error?.message?.includes("the id is taken") ? "yes" : "no",
  "200 with an HTML page": async (way) => isError(await meet(way, "html")),
  "200 with JSON that is not a plant": async (way) => isError(await meet(way, "no plant")),
  "the response body stalls, with a deadline": async (way) => isError(await meet(way, "stalled")),
  "id 2⁶³-1 as a bigint": async (way) => arrived(await meet(way, "plant", { id: ID, name: "x" })),
  "id 2⁶³-1 as a number": async (way) => arrived(await meet(way, "plant", { id: Number(ID), name: "x" })),
  "console.log(client) shows the token": async (way) => {
    const { client } = await meet(way, "plant");
    if (client === undefined) return "–";
    return inspect(client, { depth: 8 }).includes(TOKEN) ? "yes" : "no";
  },
};

function arrived({ bodies }) {
  if (bodies.length === 0) return "refused";
  if (bodies[0].includes(`"${ID}"`)) return "a string";
  return bodies[0].includes(`:${ID}`) ? "exact" : "rounded";
}

/** Measures every row for every way, and gives the table as Markdown. */
export async function compare() {
  const names = Object.keys(ways);
  const lines = [["", ...names], names.map(() => "---")];
  lines[1].unshift("---");
  for (const [row, measure] of Object.entries(rows)) {
    const cells = [];
    for (const name of names) cells.push(await measure(ways[name]));
    lines.push([row, ...cells]);
  }
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

console.log(await compare());

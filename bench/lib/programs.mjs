// One-call programs, as text: bundled for their size, started for their import time.
import { distPath } from "./build.mjs";

const URL_AND_TOKEN = 'const baseUrl = "https://plants.example/v1"; const token = "secret";';
const PLANT = '{ id: 42, name: "Monstera deliciosa", tag: "araceae" }';

/** The name of this package in tables. */
export const OURS = "**plant-store-client**";

/** For each client its imports, its construction, and one call. */
export const programs = {
  "fetch, by hand": {
    construct: "",
    call: `const response = await fetch(baseUrl + "/plants", { method: "POST", headers: { authorization: "Bearer " + token, "content-type": "application/json" }, body: JSON.stringify(${PLANT}) }); if (!response.ok) throw new Error(String(response.status)); console.log(await response.json());`,
  },
  [OURS]: {
    import: `import { PlantStoreClient } from ${JSON.stringify(distPath("index.js"))};`,
    construct: "const client = new PlantStoreClient({ baseUrl, token });",
    call: `console.log(await client.createPlant(${PLANT}));`,
  },
  "openapi-fetch": {
    import: 'import createClient from "openapi-fetch";',
    construct:
      'const client = createClient({ baseUrl }); client.use({ onRequest({ request }) { request.headers.set("authorization", "Bearer " + token); return request; } });',
    call: `console.log(await client.POST("/plants", { body: ${PLANT} }));`,
  },
  "@hey-api/client-fetch": {
    import: 'import { createClient, createConfig } from "@hey-api/client-fetch";',
    construct: "const client = createClient(createConfig({ baseUrl, auth: () => token }));",
    call: `console.log(await client.post({ security: [{ scheme: "bearer", type: "http" }], url: "/plants", body: ${PLANT} }));`,
  },
  ofetch: {
    import: 'import { ofetch } from "ofetch";',
    construct: 'const api = ofetch.create({ baseURL: baseUrl, headers: { authorization: "Bearer " + token } });',
    call: `console.log(await api("/plants", { method: "POST", body: ${PLANT} }));`,
  },
  ky: {
    import: 'import ky from "ky";',
    construct: 'const api = ky.create({ headers: { authorization: "Bearer " + token } });',
    call: `console.log(await api.post(baseUrl + "/plants", { json: ${PLANT} }).json());`,
  },
  axios: {
    import: 'import axios from "axios";',
    construct: 'const api = axios.create({ baseURL: baseUrl, headers: { Authorization: "Bearer " + token } });',
    call: `console.log((await api.post("/plants", ${PLANT})).data);`,
  },
  stripe: {
    import: 'import Stripe from "stripe";',
    construct: "const stripe = new Stripe(token);",
    call: 'console.log(await stripe.customers.create({ name: "Ada" }));',
  },
  openai: {
    import: 'import OpenAI from "openai";',
    construct: "const openai = new OpenAI({ apiKey: token, dangerouslyAllowBrowser: true });",
    call: 'console.log(await openai.chat.completions.create({ model: "m", messages: [] }));',
  },
};

/** The whole program. */
export function withCall(program) {
  return [program.import ?? "", URL_AND_TOKEN, program.construct, program.call].join("\n");
}

/** The program without its call. */
export function withoutCall(program) {
  return [program.import ?? "", URL_AND_TOKEN, program.construct].join("\n");
}

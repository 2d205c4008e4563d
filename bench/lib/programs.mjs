// Programs that make a client, as text, which are started for their import time.
import { distPath } from "./build.mjs";

const URL_AND_TOKEN = 'const baseUrl = "https://plants.example/v1"; const token = "secret";';

/** The name of this package in tables. */
export const OURS = "**plant-store-client**";

/** For each client its imports and its construction. */
export const programs = {
  "fetch, by hand": {
    construct: "",
  },
  [OURS]: {
    import: `import { PlantStoreClient } from ${JSON.stringify(distPath("index.js"))};`,
    construct: "const client = new PlantStoreClient({ baseUrl, token });",
  },
  "openapi-fetch": {
    import: 'import createClient from "openapi-fetch";',
    construct:
      'const client = createClient({ baseUrl }); client.use({ onRequest({ request }) { request.headers.set("authorization", "Bearer " + token); return request; } });',
  },
  "@hey-api/client-fetch": {
    import: 'import { createClient, createConfig } from "@hey-api/client-fetch";',
    construct: "const client = createClient(createConfig({ baseUrl, auth: () => token }));",
  },
  ofetch: {
    import: 'import { ofetch } from "ofetch";',
    construct: 'const api = ofetch.create({ baseURL: baseUrl, headers: { authorization: "Bearer " + token } });',
  },
  ky: {
    import: 'import ky from "ky";',
    construct: 'const api = ky.create({ headers: { authorization: "Bearer " + token } });',
  },
  axios: {
    import: 'import axios from "axios";',
    construct: 'const api = axios.create({ baseURL: baseUrl, headers: { Authorization: "Bearer " + token } });',
  },
  stripe: {
    import: 'import Stripe from "stripe";',
    construct: "const stripe = new Stripe(token);",
  },
  openai: {
    import: 'import OpenAI from "openai";',
    construct: "const openai = new OpenAI({ apiKey: token, dangerouslyAllowBrowser: true });",
  },
};

export function textOf(program) {
  return [program.import ?? "", URL_AND_TOKEN, program.construct].join("\n");
}

import { PlantStoreClient } from "plant-store-client";
import { type Attack, thrownBy } from "./attack.ts";

const BASE_URL = "https://plants.test";
const PLANT = { id: 7, name: "Monstera" };

/** A client whose requests end as `fetch` says. */
const clientOf = (fetch: (url: string, init: RequestInit) => Promise<Response>, options: object = {}) =>
  new PlantStoreClient({ baseUrl: BASE_URL, token: "t", fetch, ...options });
const created = async () => Response.json({ name: "Monstera" });

/** The result of a create, as the owner of the plant sees it. */
async function endOf(client: PlantStoreClient): Promise<string> {
  const result = await client.tryCreatePlant(PLANT);
  const attempts = `${result.attempts.length} ${result.attempts.length === 1 ? "request" : "requests"}`;
  return result.ok ? `created, ${attempts}` : `\`${result.error.kind}\`, \`${result.error.outcome}\`, ${attempts}`;
}

/** Two creates at once, for two users, with a provider that reads who the current user is. */
async function twoUsers(token: (user: () => string) => () => string | Promise<string>): Promise<string> {
  let user = "";
  const sent: unknown[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    sent.push(new Headers(init.headers).get("authorization"));
    return created();
  };
  const client = clientOf(fetch, { token: token(() => user) });
  const creates = ["ann", "bob"].map((name) => {
    user = name;
    return client.createPlant(PLANT);
  });
  await Promise.all(creates);
  return `sent with \`${sent.join("` and `")}\``;
}

/** The attacks on the client. */
export const clientAttacks: readonly Attack[] = [
  {
    attack: "A gateway answers 503 with Retry-After for a plant that the service has stored",
    run: () =>
      endOf(
        clientOf(
          async () => new Response("<h1>Backend fetch failed</h1>", { status: 503, headers: { "retry-after": "0" } }),
        ),
      ),
  },
  {
    attack: "Two users at once, and a token provider that returns the current user's token",
    run: () => twoUsers((user) => () => `of-${user()}`),
  },
  {
    attack: "The same with a provider that returns a promise: use one client for each identity",
    run: () => twoUsers((user) => async () => `of-${user()}`),
  },
  {
    attack: "A token over plain http: `http://plants.test`",
    run: () => thrownBy(() => new PlantStoreClient({ baseUrl: "http://plants.test", token: "t" })),
  },
  {
    attack: "A port that fetch blocks: `https://plants.test:6000`",
    run: () => thrownBy(() => new PlantStoreClient({ baseUrl: "https://plants.test:6000", token: "t" })),
  },
  {
    attack: "A `fetch` of the application's own logs in first, and that server refuses the connection",
    run: () => {
      const fields = { code: "ECONNREFUSED", syscall: "connect", address: "10.0.0.9", port: 443 };
      return endOf(clientOf(() => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), fields))));
    },
  },
  {
    attack: "A wrapper of the global `fetch` sends a record of each call to a server that refuses the connection",
    run: async () => {
      const { fetch } = globalThis;
      globalThis.fetch = async () => {
        const fields = { code: "ECONNREFUSED", syscall: "connect", address: "10.0.0.9", port: 4318 };
        throw Object.assign(new Error("connect ECONNREFUSED"), fields);
      };
      try {
        return await endOf(new PlantStoreClient({ baseUrl: "https://plants.test", token: "t" }));
      } finally {
        globalThis.fetch = fetch;
      }
    },
  },
  {
    attack: "A header that frames the message: `Transfer-Encoding`",
    run: () => thrownBy(() => clientOf(created, { headers: { "Transfer-Encoding": "chunked" } })),
  },
  {
    attack: "64 MiB of `ab\\\\`, a text that is all escapes, as the body of a 500",
    run: async () => {
      const fetch = async () => new Response("ab\\".repeat(2 ** 26 / 3), { status: 500 });
      const result = await clientOf(fetch, { maxResponseBytes: 2 ** 27 }).tryCreatePlant(PLANT);
      const kept = !result.ok && result.error.kind === "response" ? result.error.bodyText.length : 0;
      return `\`${result.ok ? "created" : result.error.kind}\`, ${kept} characters are kept`;
    },
  },
  {
    attack: "The same as the message of the contract's Error",
    run: async () => {
      const body = `{"error":1,"message":"${"ab\\\\".repeat(2 ** 22)}"}`;
      const fetch = async () => new Response(body, { status: 500 });
      const result = await clientOf(fetch, { maxResponseBytes: 2 ** 27 }).tryCreatePlant(PLANT);
      const kept = !result.ok && result.error.kind === "api" ? result.error.body.message.length : 0;
      return `\`${result.ok ? "created" : result.error.kind}\`, ${kept} characters are kept`;
    },
  },
  {
    attack: "A percent-encoded token in the body of a 500",
    run: async () => {
      const token = "secret/0123456789+abc";
      const fetch = async () => new Response(`bad token ${encodeURIComponent(token)}`, { status: 500 });
      const result = await clientOf(fetch, { token }).tryCreatePlant(PLANT);
      return !result.ok && result.error.kind === "response" ? `kept: \`${result.error.bodyText}\`` : "created";
    },
  },
  {
    attack: "The same token as writers of JSON escape it, and in lower case",
    run: async () => {
      const token = "Secret/0123456789+abc";
      const forms = [token.replace("/", "\\/").replace("+", "\\u002b"), token.toLowerCase()];
      const fetch = async () => new Response(forms.join(" "), { status: 500 });
      const result = await clientOf(fetch, { token }).tryCreatePlant(PLANT);
      return !result.ok && result.error.kind === "response" ? `kept: \`${result.error.bodyText}\`` : "created";
    },
  },
  {
    attack: "An Error of the service nested 100,000 levels deep, which made loggers overflow the stack",
    run: async () => {
      const deep = "[".repeat(100_000) + "]".repeat(100_000);
      const fetch = async () => new Response(`{"error":1,"message":"x","deep":${deep}}`, { status: 400 });
      const result = await clientOf(fetch).tryCreatePlant(PLANT);
      return `\`JSON.stringify\` writes ${JSON.stringify(result).length < 10_000 ? "the error" : "all of it"}`;
    },
  },
  {
    attack: "A `Retry-After` of 400 digits",
    run: async () => {
      const headers = { "retry-after": "9".repeat(400) };
      const result = await clientOf(async () => new Response("", { status: 429, headers })).tryCreatePlant(PLANT);
      const { retryAfterMs } = !result.ok && result.error.kind === "response" ? result.error : {};
      return `${result.attempts.length} request, retryAfterMs ${retryAfterMs}`;
    },
  },
];

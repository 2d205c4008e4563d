import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.ts";

// One library with a flaw, such as a careless merge, lets an attacker add properties to all objects. The client must not
// read them: no name that occurs in its code, or in openapi-fetch's, may change a call.
test("no property of a polluted Object.prototype changes a call", async () => {
  const results = await runChild(`
    import { readdirSync, readFileSync } from "node:fs";
    import { PlantStoreClient } from "./src/index.ts";

    // The language itself reads these: descriptors, iterators and promises would fail in any code.
    const LANGUAGE = ["get", "set", "value", "writable", "enumerable", "configurable", "return", "throw", "next", "done", "then", "toJSON"];
    const names = new Set();
    const sources = readdirSync("src", { recursive: true }).filter((path) => path.endsWith(".ts"));
    for (const file of [...sources.map((path) => "src/" + path), "node_modules/openapi-fetch/dist/index.mjs"]) {
      for (const [name] of readFileSync(file, "utf8").matchAll(/[A-Za-z_$][\\w$]*/g)) names.add(name);
    }
    for (const name of [...LANGUAGE, ...Object.getOwnPropertyNames(Object.prototype)]) names.delete(name);

    // Openapi-fetch reads these, and then sends nothing.
    const FAILING = ["Request", "middleware"];
    for (const name of FAILING) names.delete(name);

    const json = (status, body) => () => new Response(body, { status, headers: { "content-type": "application/json" } });
    const replies = {
      created: json(200, '{"name":"Fern"}'),
      wrong: json(200, '{"name":7}'),
      refused: json(400, '{"error":7,"message":"full"}'),
      page: () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    };
    async function call(response) {
      const sent = [];
      const fetch = async (url, { method, headers, body, redirect }) => {
        sent.push([url, method, Object.entries(headers), body, redirect]);
        return response;
      };
      const client = new PlantStoreClient({ baseUrl: "https://plants.example", token: "a-token-of-some-length", fetch });
      const told = [];
      for (const plant of [{ id: 1, name: "Fern" }, { id: 1.5, name: "Fern" }]) {
        const { ok, plant: created, error, attempts } = await client.tryCreatePlant(plant);
        told.push(ok ? Object.entries(created) : [error.name, error.outcome, error.message], attempts.map(({ reason }) => reason));
      }
      return JSON.stringify([sent, told]);
    }

    async function callPolluted(response, name, value) {
      Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
      const seen = await call(response).catch(String);
      delete Object.prototype[name];
      return seen;
    }

    const changed = [];
    for (const [reply, create] of Object.entries(replies)) {
      const expected = await call(create());
      for (const name of names) {
        for (const value of [true, () => "evil", ["evil"]]) {
          const seen = await callPolluted(create(), name, value);
          if (seen !== expected) changed.push([name, reply, seen]);
        }
      }
      for (const name of FAILING) {
        const [sent, told] = JSON.parse(await callPolluted(create(), name, true));
        if (sent.length > 0 || told[0][1] !== "not-sent") changed.push([name, reply, sent, told]);
      }
    }
    console.log(JSON.stringify({ count: names.size, changed }));`);
  expect(results).toMatchObject({ changed: [] });
});

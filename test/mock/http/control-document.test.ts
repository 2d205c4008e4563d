import { Ajv2020 } from "ajv/dist/2020.js";
import { faults } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import type { ControlRoute } from "../../../mock/http/control/control-route.ts";
import { routes } from "../../../mock/http/control/routes.ts";
import { rowOf } from "../../../mock/service/faults/fault.ts";
import { rows } from "../../parity/fault-rows.ts";
import { post } from "./post.ts";

type Parameter = { name: string; schema: Record<string, unknown> };
type Operation = { responses: Record<string, { content?: unknown }>; parameters?: Parameter[] | undefined };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};

let mock: HttpMockPlantStore;
let document: Document;
const ajv = new Ajv2020({ strict: false, formats: { int64: true, int32: true } });

beforeAll(async () => {
  mock = await startMockPlantStore();
  document = await (await fetch(`${mock.url}/_mock/openapi.json`)).json();
  ajv.addSchema({ $id: "document", ...document });
});
afterAll(() => mock.close());

/** `npx vitest run test/mock/http/control-document.test.ts -u` writes the file, whose changes are then reviewed. */
it("the document is the one that was reviewed", async () => {
  await expect(
    stringify(withoutRepetition(document), { aliasDuplicateObjects: false, lineWidth: 120 }),
  ).toMatchFileSnapshot("../../../etc/control-api.yaml");
});

/** The document with each parameter and response of several operations only at the first of them. */
function withoutRepetition(document: Document): Document {
  const seen = new Set<string>();
  const isNew = (part: unknown) => {
    const text = JSON.stringify(part);
    return !seen.has(text) && seen.add(text);
  };
  const { paths, ...rest } = structuredClone(document);
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    operation.parameters = operation.parameters?.filter(isNew);
    operation.responses = Object.fromEntries(Object.entries(operation.responses).filter(isNew));
  }
  return { ...rest, paths };
}

it.each(Object.values(rows))(
  "the document describes the fault $example.type as the HTTP mock accepts it",
  ({ example }) => {
    const validate = ajv.compile({ $ref: "document#/components/schemas/Fault" });
    expect(validate(example)).toBe(!rowOf(example).isInMemoryOnly);
  },
);

it("the document rejects a fault with an unknown field, as the mock does", async () => {
  const fault = { ...faults.hang(), code: 1 };
  expect(ajv.compile({ $ref: "document#/components/schemas/Fault" })(fault)).toBe(false);
  const reply = await fetch(`${mock.url}/_mock/faults`, { method: "POST", body: JSON.stringify({ fault }) });
  expect(reply.status).toBe(400);
});

it.each(
  Object.values(routes as Record<string, ControlRoute>).flatMap(({ method, path, query = {} }) =>
    Object.entries(query).flatMap(([name, { schema }]) => (schema.type === "integer" ? [{ method, path, name }] : [])),
  ),
)("the mock accepts $name of $method $path within the bounds in the document, and only there", async (query) => {
  const { method, path, name } = query;
  const gate = await (await fetch(`${mock.url}/_mock/gates`, { method: "POST" })).json();
  const parameters = document.paths[path]?.[method.toLowerCase()]?.parameters;
  const { minimum, maximum } = parameters?.find((parameter) => parameter.name === name)?.schema ?? {};
  const call = (value: unknown) =>
    fetch(`${mock.url}/_mock${path.replace("{gate}", gate.gate)}?${name}=${value}`, { method });
  for (const outside of [Number(minimum) - 1, Number(maximum) + 1]) {
    expect([outside, (await call(outside)).status]).toEqual([outside, 400]);
  }
  const inside = [call(minimum), call(maximum)];
  await fetch(`${mock.url}/_mock/gates/${gate.gate}`, { method: "DELETE" });
  for (const { status } of await Promise.all(inside)) expect(status).not.toBe(400);
});

it("the document limits the times of a fault and the tokens of a session as the mock does", async () => {
  const bodies = {
    "/faults": [1, 2 ** 53 - 1, 2 ** 53, 0, "unlimited", "x"].map((times) => ({ fault: faults.hang(), times })),
    "/sessions": ["!", "+-~", "a,b", "a b", "", "é"].map((token) => ({ tokens: [token] })).concat({ tokens: [] }),
  };
  for (const [path, inputs] of Object.entries(bodies)) {
    const pointer = `paths/~1${path.slice(1)}/post/requestBody/content/application~1json/schema`;
    const validate = ajv.compile({ $ref: `document#/${pointer}` });
    for (const input of inputs) {
      const body = JSON.stringify(input);
      const { ok } = await fetch(`${mock.url}/_mock${path}`, { method: "POST", body });
      expect([body, validate(input)]).toEqual([body, ok]);
    }
  }
  mock.reset();
});

it("the mock responds as the document says", async () => {
  const gate = mock.session().hold();
  gate.release();
  await post(mock.baseUrl, '{"id":1,"name":"a","tag":"b"}');
  mock.inject(faults.apiError(1, "x"));
  await post(mock.baseUrl, "{}");
  await fetch(mock.url, { method: "POST" });
  for (const [method, path, template, body] of [
    ["GET", "/health", "/health"],
    ["GET", "/plants", "/plants"],
    ["POST", "/plants", "/plants", '{"id":2,"name":"x"}'],
    ["POST", "/plants", "/plants", " ".repeat(2 ** 20 + 1)],
    ["GET", "/plants/1", "/plants/{id}"],
    ["GET", "/plants/3", "/plants/{id}"],
    ["GET", "/plants/x", "/plants/{id}"],
    ["GET", "/requests", "/requests"],
    ["GET", "/requests/1", "/requests/{number}"],
    ["GET", "/requests/2", "/requests/{number}"],
    ["GET", "/requests/99", "/requests/{number}"],
    ["DELETE", "/faults/none", "/faults/{fault}"],
    ["DELETE", "/gates/none", "/gates/{gate}"],
    ["GET", "/token", "/token"],
    ["GET", "/verify", "/verify"],
    ["POST", "/faults", "/faults", "{}"],
    ["POST", "/gates", "/gates"],
    ["GET", "/gates/none/arrived", "/gates/{gate}/arrived"],
    ["GET", "/state", "/state"],
    ["GET", "/state?requests=some", "/state"],
    ["POST", "/sessions", "/sessions"],
    ["POST", "/labels", "/labels", '{"token":"x"}'],
    ["POST", "/reset", "/reset"],
    ["DELETE", "/requests", "/requests"],
  ] as const) {
    const reply = await fetch(`${mock.url}/_mock${path}`, { method, body: body ?? null });
    const text = await reply.text();
    const described = document.paths[template]?.[method.toLowerCase()]?.responses[reply.status];
    expect([method, path, reply.status, described]).toEqual([method, path, reply.status, expect.anything()]);
    expect([path, text === ""]).toEqual([path, described?.content === undefined]);
    if (text === "") continue;
    const pointer = `/paths/${template.replaceAll("/", "~1")}/${method.toLowerCase()}/responses/${reply.status}/content/application~1json/schema`;
    const validate = ajv.compile({ $ref: `document#${encodeURI(pointer).replaceAll("%7B", "%7B")}` });
    expect([path, validate(JSON.parse(text)), validate.errors]).toEqual([path, true, null]);
  }
});

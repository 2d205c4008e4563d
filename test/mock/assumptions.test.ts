import { type AssumptionName, createMockPlantStore, type MockPlantStoreOptions } from "plant-store-client/mock";
import { describe, expect, it } from "vitest";
import { assumptions, causes } from "../../mock/service/assumptions.ts";
import { absolute, read as readPage } from "../docs/blocks.ts";
import { mustBe } from "../rules-in-words.ts";
import { post, read } from "./post.ts";

/** A request that relies on an assumption, and each option that changes the response. */
interface Switches {
  /** The request; the default is a valid one. */
  readonly body?: BodyInit;
  readonly init?: RequestInit;
  readonly path?: string;
  /** Further options that the assumption requires. */
  readonly given?: MockPlantStoreOptions;
  /** Whether a request is sent before. */
  readonly isSecond?: true;
  readonly status: number | "rejects";
  /** Without `replies`, which every cause has. */
  readonly switched?: readonly (readonly [MockPlantStoreOptions, number])[];
  /** The options with which it is rejected, if it is not by default. */
  readonly rejecting?: MockPlantStoreOptions;
}

const PLANT = '{"id":1,"name":"Fern"}';
const typed = (type: string) => ({ headers: { Authorization: "Bearer t", "Content-Type": type } });

const switches: { readonly [Name in AssumptionName]: Switches } = {
  outside: {
    path: "http://example.test/",
    status: "rejects",
    switched: [[{ baseUrl: "http://example.test" }, 404]],
  },
  notFound: { path: "/x", status: 404 },
  methodNotAllowed: { init: { method: "PUT" }, status: 405 },
  severalTokens: { init: { headers: { Authorization: "Bearer a, Bearer b" } }, status: 400 },
  missingToken: {
    init: { headers: { "Content-Type": "application/json" } },
    status: 401,
    switched: [[{ auth: false }, 200]],
  },
  invalidToken: { given: { auth: { tokens: () => false } }, status: 401 },
  anyToken: {
    init: typed("application/json"),
    status: 200,
    switched: [
      [{ auth: true }, 200],
      [{ auth: { tokens: ["other"] } }, 401],
      [{ auth: { tokens: ["t"] } }, 200],
      [{ auth: { tokens: (token) => token === "other" } }, 401],
      [{ auth: { tokens: (token) => token === "t" } }, 200],
    ],
  },
  rateLimited: {
    status: 200,
    isSecond: true,
    switched: [
      [{ rateLimit: { quota: 1, windowSeconds: 60 } }, 429],
      [{ rateLimit: { quota: 2, windowSeconds: 60 } }, 200],
    ],
    rejecting: { rateLimit: { quota: 1, windowSeconds: 60 } },
  },
  mediaType: {
    init: typed("text/plain"),
    status: 400,
    switched: [[{ mediaType: "any" }, 200]],
  },
  tooLarge: {
    body: `{"id":1,"name":"${"x".repeat(2 ** 20)}"}`,
    status: 413,
    switched: [[{ maxBodyBytes: 2 ** 21 }, 200]],
  },
  encoding: { body: new Uint8Array([255]), status: 400 },
  json: { body: "{", status: 400 },
  newPlant: { body: "{}", status: 400 },
  unknownFields: {
    body: '{"id":1,"name":"Fern","x":1}',
    status: 200,
    switched: [
      [{ unknownFields: "reject" }, 400],
      [{ unknownFields: "accept" }, 200],
    ],
    rejecting: { unknownFields: "reject" },
  },
  duplicateId: {
    given: { initialPlants: [{ id: 1, name: "Moss" }] },
    status: 200,
    switched: [[{ duplicateIds: "reject" }, 400]],
    rejecting: { duplicateIds: "reject" },
  },
};

async function statusOf(options: MockPlantStoreOptions, { body = PLANT, init, path, isSecond }: Switches) {
  const mock = createMockPlantStore(options);
  if (isSecond) await post(mock, body, init);
  if (path === undefined) return (await post(mock, body, init)).status;
  return mock.fetch(new URL(path, mock.baseUrl)).then(
    ({ status }) => status,
    () => "rejects",
  );
}

describe.each(Object.entries(switches))("the assumption %s", (_name, row) => {
  it("is the default behavior", async () => {
    expect(await statusOf({ ...row.given }, row)).toBe(row.status);
  });

  it.each(row.switched ?? [])("is changed by the options %o", async (options, status) => {
    expect(await statusOf({ ...row.given, ...options }, row)).toBe(status);
  });
});

it.each(causes)("the response to %s is changed by the option replies", async (cause) => {
  const { given, rejecting, ...row } = switches[cause];
  expect(await statusOf({ ...given, ...rejecting, replies: { [cause]: { status: 418 } } }, row)).toBe(418);
});

it("has an `error` value for each cause, which an option changes alone", async () => {
  const codes = causes.map((cause) => assumptions[cause].refusal.code);
  expect(new Set(codes).size).toBe(13);
  const mock = createMockPlantStore({ replies: { json: { error: -1 } } });
  expect(await post(mock, "{")).toMatchObject({
    status: 400,
    headers: { "content-type": "application/json" },
    text: `{"error":-1,"message":"body: ${mustBe.json} \\"{\\""}`,
  });
  expect(mock.requests.last).toMatchObject({ provenance: "assumed", assumption: "json" });
});

it("names the duplicate, and each unknown field by its JSON pointer", async () => {
  const mock = createMockPlantStore({ duplicateIds: "reject", unknownFields: "reject" });
  expect((await post(mock, PLANT)).status).toBe(200);
  expect((await post(mock, PLANT)).text).toBe('{"error":40006,"message":"/id: 1 already exists; send an unused id"}');
  expect((await post(mock, '{"id":"x","a/b~c":1,"d":2,"name":"Fern"}')).text).toBe(
    `{"error":40005,"message":"/id: ${mustBe.int64} \\"x\\"; ` +
      '/a~1b~0c: is not a field of NewPlant; remove it; /d: is not a field of NewPlant; remove it"}',
  );
  expect((await post(mock, '{"id":2,"name":"Fern","d":2}')).text).toBe(
    '{"error":40007,"message":"/d: is not a field of NewPlant; remove it"}',
  );
  expect((await post(mock, "[]")).text).toBe(`{"error":40005,"message":"body: ${mustBe.object} an array"}`);
  expect([...mock.plants]).toEqual([{ id: 1, name: "Fern" }]);
});

it("requires no token with `auth: false`, and accepts one", async () => {
  const mock = createMockPlantStore({ auth: false });
  expect((await post(mock, PLANT)).status).toBe(200);
  expect(mock.requests.last?.provenance).toBe("declared");
  expect((await post(mock, PLANT, { headers: { "Content-Type": "application/json" } })).status).toBe(200);
  expect(mock.requests.last?.provenance).toBe("assumed");
});

it("responds as the options say, including headers and body", async () => {
  const missing = { status: 403, headers: { "X-Why": "token" }, body: { error: 1, message: "no" } };
  const mock = createMockPlantStore({ replies: { missingToken: missing } });
  expect(await read(await mock.fetch(`${mock.baseUrl}/plants`, { method: "POST" }))).toEqual({
    status: 403,
    headers: { "content-type": "application/json", "x-why": "token" },
    text: '{"error":1,"message":"no"}',
  });
  expect(mock.requests.last).toMatchObject({ provenance: "assumed", status: 403 });
  expect(mock.requests.last).not.toHaveProperty("assumption");
});

const rows = Object.entries(assumptions).map(([name, assumption]) => {
  const code = "refusal" in assumption ? assumption.refusal.code : "";
  const others = assumption.options.filter((option) => !option.startsWith("replies"));
  const changedBy = others.map((option) => `\`${option}\``).join(", ");
  return `| ${name} | ${assumption.unspecified} | ${assumption.behavior} | ${code} | ${changedBy} |`;
});
const table = `| name | not shown in the contract | the mock's choice | \`error\` | options |
|---|---|---|---|---|
${rows.join("\n")}`;

/** `npx vitest run test/mock/assumptions.test.ts -u` writes the table anew. */
it("is the same in docs and in code", async () => {
  const page = "docs/contract-and-assumptions.md";
  const [before, after] = readPage(page).split(/(?<=<!-- assumptions -->\n)[\s\S]*(?=\n<!-- \/assumptions -->)/);
  await expect(`${before}\n${table}\n${after}`).toMatchFileSnapshot(absolute(page));
});

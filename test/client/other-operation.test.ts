import { expect, test } from "vitest";
import { Call } from "../../src/call/call.ts";
import { type Client, createApi } from "../../src/call/openapi-fetch.ts";
import type { Operation } from "../../src/call/operation.ts";
import { runCall } from "../../src/call/run-call.ts";
import type { Issue } from "../../src/checks/schema.ts";
import { describeIssues } from "../../src/checks/schema.ts";
import { readClientOptions } from "../../src/client-options.ts";
import { BASE_URL, scriptedFetch, TOKEN } from "./fixtures/setup.ts";

/** The paths of another contract. */
interface Paths {
  "/greenhouses/{name}/beds": {
    parameters: { path: { name: string }; query?: { limit?: number } };
    get: {
      parameters: { path: { name: string }; query?: { limit?: number } };
      responses: { 200: { content: { "application/json": string[] } } };
    };
  };
}

interface Input {
  readonly name: string;
  readonly limit?: number;
}

const listBeds: Operation<Input, string[]> = {
  method: "GET",
  path: "/greenhouses/{name}/beds",
  inputName: "input",
  unknownOutcome: "nothing was changed",
  isIdempotent: true,
  validateInput: (value) => ({ value: value as Input }),
  validateOutput: (value) => ({ value: value as string[] }),
  send(api: Client<Paths>, { name, limit }, fetch) {
    const params = { path: { name }, ...(limit !== undefined && { query: { limit } }) };
    return api.GET("/greenhouses/{name}/beds", { params, fetch });
  },
};

/** What the client does for each call. */
async function send(input: Input, ...steps: Parameters<typeof scriptedFetch>) {
  const { fetch, posts: requests } = scriptedFetch(...steps);
  const settings = readClientOptions({ baseUrl: BASE_URL, token: TOKEN, fetch, backoff: { initialMs: 0 } });
  const call = new Call(listBeds, createApi(BASE_URL), settings, input);
  const result = await runCall(call, (beds) => beds);
  return { result, requests };
}

test("an operation with parameters fills in the path and sends the query, and no Content-Type without a body", async () => {
  const { result, requests } = await send({ name: "north wing", limit: 2 }, Response.json(["a", "b"]));
  expect(result).toEqual(["a", "b"]);
  const [{ url, init } = {}] = requests;
  expect(url).toBe(`${BASE_URL}/greenhouses/north%20wing/beds?limit=2`);
  expect(init).toMatchObject({ method: "GET", body: null });
  expect(Object.keys(init?.headers ?? {})).toEqual(["accept", "user-agent", "authorization"]);
});

test("an idempotent operation is sent again after a network failure", async () => {
  const { result, requests } = await send({ name: "north" }, new TypeError("socket hang up"), Response.json(["a"]));
  expect(result).toEqual(["a"]);
  expect(requests).toHaveLength(2);
});

test("a problem of a nested field is named by the whole path", () => {
  const issue: Issue = { path: ["beds", "0", "name"], rule: "required", message: "is required" };
  expect(describeIssues([issue])).toBe("beds.0.name is required");
});

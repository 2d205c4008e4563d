import { expect, test } from "vitest";
import { operationsIn } from "./declared-operations.ts";

test("only the HTTP methods of a path are operations", () => {
  const post = { operationId: "createPlant", responses: {} };
  const get = { operationId: "listPlants", responses: {} };
  const item = { summary: "Plants", description: "All.", servers: [{ url: "/" }], parameters: [], post, get };
  expect(operationsIn({ paths: { "/plants": { ...item, "x-owner": { operationId: "none" } } } })).toEqual([
    { operationId: "createPlant", method: "POST", path: "/plants", query: [] },
    { operationId: "listPlants", method: "GET", path: "/plants", query: [] },
  ]);
});

test("an operation without an operationId is not overlooked", () => {
  expect(operationsIn({ paths: { "/plants": { put: { responses: {} } } } })).toEqual([
    { operationId: undefined, method: "PUT", path: "/plants", query: [] },
  ]);
});

test("the query parameters of an operation are its own and those of its path, here or among the components", () => {
  const shared = [
    { name: "id", in: "path" },
    { name: "limit", in: "query" },
  ];
  const get = { operationId: "listLeaves", parameters: [{ $ref: "#/components/parameters/Cursor" }] };
  const paths = { "/plants/{id}/leaves": { parameters: shared, get } };
  expect(operationsIn({ paths, components: { parameters: { Cursor: { name: "cursor", in: "query" } } } })).toEqual([
    { operationId: "listLeaves", method: "GET", path: "/plants/{id}/leaves", query: ["limit", "cursor"] },
  ]);
});

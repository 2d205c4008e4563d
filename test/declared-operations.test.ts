import { expect, test } from "vitest";
import { operationsIn } from "./declared-operations.ts";

test("only the HTTP methods of a path are operations", () => {
  const post = { operationId: "createPlant", responses: {} };
  const get = { operationId: "listPlants", responses: {} };
  const item = { summary: "Plants", description: "All.", servers: [{ url: "/" }], parameters: [], post, get };
  expect(operationsIn({ paths: { "/plants": { ...item, "x-owner": { operationId: "none" } } } })).toEqual([
    { operationId: "createPlant", method: "POST", path: "/plants" },
    { operationId: "listPlants", method: "GET", path: "/plants" },
  ]);
});

test("an operation without an operationId is not overlooked", () => {
  expect(operationsIn({ paths: { "/plants": { put: { responses: {} } } } })).toEqual([
    { operationId: undefined, method: "PUT", path: "/plants" },
  ]);
});

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PlantStoreClient } from "plant-store-client";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { operations } from "../../mock/service/service.ts";
import * as endpoints from "../../src/contract/operations.ts";
import { declaredOperations, namesOf } from "../declared-operations.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The file with the method and the path, and the files that show them to people or have their own routes. */
const HOME = "src/contract/operations.ts";
const EXEMPT = /^(src\/contract\/openapi\.ts|mock\/http\/(control|remote|console)\/.*|mock\/cli\/(help|settings)\.ts)$/;

/** The methods and paths of the contract. GET and HEAD are exempt, because HTTP itself gives them a meaning. */
const LITERAL = new RegExp(
  declaredOperations
    .flatMap(({ method, path }) => [
      ...(method === "GET" || method === "HEAD" ? [] : [`\\b${method}\\b`, `^${method.toLowerCase()}$`]),
      path.replace(/^\/([^/]+).*/, "(?<!/)/$1\\b(?!\\.)"),
    ])
    .join("|"),
);

/** The texts of a file that name the service's method or path. Comments are ignored. */
function literalsIn(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node);
    if (isText && LITERAL.test(node.text)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, true));
  return found;
}

describe("each operation of the contract", () => {
  test("has its method and path in the file that client and mock read", () => {
    expect(namesOf(Object.values(endpoints))).toEqual(namesOf(declaredOperations));
  });

  test("is an operation of the mock, with its query parameters, in the order of the contract", () => {
    const served = operations.map(({ method, path, query }) => ({ method, path, query }));
    expect(served).toEqual(declaredOperations.map(({ method, path, query }) => ({ method, path, query })));
  });

  test("is a method of the client, in both forms", () => {
    const methods = Object.getOwnPropertyNames(PlantStoreClient.prototype);
    const forms = declaredOperations.flatMap(({ operationId: id }) => [
      id,
      `try${id.charAt(0).toUpperCase()}${id.slice(1)}`,
    ]);
    expect(methods).toEqual(expect.arrayContaining(forms));
  });
});

test.each(["src", "mock"])("%s takes the service's method and path from one file", async (place) => {
  const files = await readdir(join(root, place), { recursive: true });
  const paths = files.filter((path) => path.endsWith(".ts")).map((path) => join(place, path).replaceAll("\\", "/"));
  const others = paths.filter((path) => path !== HOME && !EXEMPT.test(path));
  const found = others.map(async (path) => {
    const literals = literalsIn(await readFile(join(root, path), "utf8"));
    return literals.map((literal) => `${path}: ${literal}`);
  });
  expect((await Promise.all(found)).flat()).toEqual([]);
});

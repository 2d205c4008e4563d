import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** An operation of openapi.yaml. */
interface DeclaredOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

/** The keys of a path that are operations. Others, such as `summary`, `parameters` and `servers`, apply to all of them. */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Every operation of a document, in its order. */
export function operationsIn({ paths }: { paths: Readonly<Record<string, object>> }): DeclaredOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([key]) => METHODS.includes(key))
      .map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
  );
}

/** Every operation of openapi.yaml, in its order. */
export const declaredOperations: readonly DeclaredOperation[] = operationsIn(
  parse(readFileSync(new URL("../openapi.yaml", import.meta.url), "utf8")),
);

/** Operations as a sorted list, e.g. `["POST /plants"]`. */
export function namesOf(operations: Iterable<Pick<DeclaredOperation, "method" | "path">>): string[] {
  return Array.from(operations, ({ method, path }) => `${method} ${path}`).sort();
}

import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** An operation of openapi.yaml. */
interface DeclaredOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

const { paths } = parse(readFileSync(new URL("../openapi.yaml", import.meta.url), "utf8"));

/** Every operation of openapi.yaml, in its order. */
export const declaredOperations: readonly DeclaredOperation[] = Object.entries<object>(paths).flatMap(([path, item]) =>
  // Other keys, such as `parameters`, have no operationId.
  Object.entries(item)
    .filter(([, value]) => "operationId" in value)
    .map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
);

/** Operations as a sorted list, e.g. `["POST /plants"]`. */
export function namesOf(operations: Iterable<Pick<DeclaredOperation, "method" | "path">>): string[] {
  return Array.from(operations, ({ method, path }) => `${method} ${path}`).sort();
}

import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** An operation of openapi.yaml. */
interface DeclaredOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** The names of its query parameters. */
  readonly query: readonly string[];
}

/** The keys of a path that are operations. Others, such as `summary`, `parameters` and `servers`, apply to all of them. */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly parameters?: readonly Parameter[]; readonly [key: string]: unknown }>
  >;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly $ref?: string;
}

/** Every operation of a document, in its order. */
export function operationsIn({ paths, components }: Document): DeclaredOperation[] {
  const resolve = (one: Parameter) => components?.parameters?.[`${one.$ref?.split("/").at(-1)}`] ?? one;
  return Object.entries(paths).flatMap(([path, { parameters: shared = [], ...item }]) =>
    Object.entries(item as Record<string, { operationId: string; parameters?: readonly Parameter[] }>)
      .filter(([key]) => METHODS.includes(key))
      .map(([method, { operationId, parameters = [] }]) => {
        const known = [...shared, ...parameters].map(resolve);
        const query = known.filter((one) => one.in === "query").map(({ name }) => `${name}`);
        return { operationId, method: method.toUpperCase(), path, query };
      }),
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

/** The operation that a request to a mock without a base path is for, e.g. `POST /plants`. */
export function operationOf(method: string, url: string): string | undefined {
  const { pathname } = new URL(url);
  const matches = ({ path }: DeclaredOperation) =>
    new RegExp(`^${path.replaceAll(/\{[^{}]+\}/g, "[^/]+")}$`).test(pathname);
  const found = declaredOperations.find((operation) => operation.method === method && matches(operation));
  return found && `${found.method} ${found.path}`;
}

/** What a request may be, as the mock says it: every operation under the path of a base URL, e.g. `POST /v1/plants`. */
export function everyOperation(basePath = ""): string {
  return declaredOperations.map(({ method, path }) => `${method} ${basePath}${path}`).join(" or ");
}

/** The methods of a path, as in the header Allow, e.g. `POST`. */
export function methodsOf(path: string): string {
  return declaredOperations.flatMap((operation) => (operation.path === path ? operation.method : [])).join(", ");
}

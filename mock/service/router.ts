import type { Destination, Operation } from "./operation.ts";
import type { ServiceRequest } from "./request.ts";
import type { Cause } from "./service-reply.ts";

/** Finds the operation of a request. */
export class Router {
  /** Every operation; its path includes that of the base URL. */
  readonly operations: readonly Operation[];

  constructor(operations: readonly Operation[], basePath: string) {
    this.operations = operations.map((operation) => ({ ...operation, path: `${basePath}${operation.path}` }));
  }

  find({ method, path: target }: Pick<ServiceRequest, "method" | "path">): Destination {
    // The fast path: nearly every request has exactly the path of an operation.
    for (const operation of this.operations) {
      if (operation.path === target && operation.method === method) return operation;
    }
    const [path, query] = splitTarget(target);
    const matches = this.#operationsAt(path);
    const found = matches.find((operation) => operation.method === method);
    const unknown = found && unknownParameter(query, found);
    if (found !== undefined && unknown === undefined) return found;
    const refuse = (cause: Cause, problem: string, headers: readonly string[] = []): Destination => ({
      fix: `send ${this}`,
      handle: ({ options }) => options.refuse(cause, `${method} ${target}: ${problem}`, headers),
    });
    if (unknown !== undefined) return refuse("notFound", unknown);
    if (matches.length === 0) return refuse("notFound", `must be ${this}; the service has no other operations`);
    const allow = matches.map((operation) => operation.method).join(", ");
    return refuse("methodNotAllowed", `must be ${allow}; the path has no other methods`, ["Allow", allow]);
  }

  /** Whether an operation has this path, with any method. */
  hasPath(target: string): boolean {
    return this.#operationsAt(splitTarget(target)[0]).length > 0;
  }

  #operationsAt(path: string): Operation[] {
    return this.operations.filter((operation) => operation.path === path);
  }

  /** Every operation, e.g. `POST /v1/plants`. */
  toString(): string {
    return this.operations.map(({ method, path }) => `${method} ${path}`).join(" or ");
  }
}

/** The path and query of a URL under a base URL; `undefined` for any other URL. */
export function pathUnder(baseUrl: string, url: string): string | undefined {
  const next = url.charAt(baseUrl.length);
  if (!url.startsWith(baseUrl) || !["", "/", "?", "#"].includes(next)) return undefined;
  const start = baseUrl.indexOf("/", "https://".length);
  const end = url.indexOf("#");
  return url.slice(start < 0 ? baseUrl.length : start, end < 0 ? undefined : end);
}

/** Splits a request target at its first "?". */
export function splitTarget(target: string): [path: string, query: string | undefined] {
  const at = target.indexOf("?");
  return at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)];
}

/** The problem of a query with a parameter that the operation does not have, otherwise `undefined`. */
function unknownParameter(query: string | undefined, { query: known }: Operation): string | undefined {
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return `unknown query parameter ${JSON.stringify(unknown)}; expected ${known.join(", ") || "none"}`;
}

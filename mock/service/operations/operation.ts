import type { Answer } from "../reply.ts";
import type { RequestContext } from "../request-context.ts";

export interface Operation {
  readonly method: string;
  /** The path below the base URL; `{name}` is a parameter, one path segment. */
  readonly path: string;
  /** The names of its query parameters; others are rejected. */
  readonly query: readonly string[];
  /** Handles an authorized request. */
  readonly answer: (context: RequestContext) => Answer;
}

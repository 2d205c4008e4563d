import type { Answer } from "../reply.ts";
import type { RequestContext } from "../request-context.ts";

/** One operation of the service. */
export interface Operation {
  readonly method: string;
  /** The path below the base URL; `{name}` stands for one segment, a parameter. */
  readonly path: string;
  /** The names of its query parameters; others are refused. */
  readonly query: readonly string[];
  /** Answers an authorized request. */
  readonly answer: (context: RequestContext) => Answer;
}

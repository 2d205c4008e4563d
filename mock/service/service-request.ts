import type { Answer, Source } from "./answer.ts";
import type { Credentials } from "./bearer-tokens.ts";
import type { RequestData } from "./request-data.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import type { JournalEntry } from "./sessions/journal-entry.ts";
import type { SessionState } from "./sessions/session-state.ts";

/** The beginning of a request: who sends it, and to which session. */
export interface Arrival {
  readonly credentials: Credentials;
  /** The state of the session when the request began: a reset ends it. */
  readonly session: SessionState;
}

/** A request, with its beginning. */
export interface ServiceRequest extends RequestData {
  readonly arrival: Arrival;
}

/** One request, with everything that an operation needs to handle it. */
export interface RequestContext {
  readonly entry: JournalEntry;
  readonly session: SessionState;
  readonly options: ResolvedOptions;
  /** The origin of the response if the request succeeds, as known so far. */
  success: Source;
}

/** An operation of the service. */
export interface Operation {
  readonly method: string;
  /** The path below the base URL; `{name}` is a parameter, one path segment. */
  readonly path: string;
  /** The names of its query parameters; others are rejected. */
  readonly query: readonly string[];
  /** Handles an authorized request. */
  readonly answer: (context: RequestContext) => Answer;
}

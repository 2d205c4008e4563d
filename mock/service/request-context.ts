import type { ServiceRequest } from "./adapter.ts";
import type { Credentials } from "./credentials.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Source } from "./reply.ts";
import type { JournalEntry } from "./sessions/journal-entry.ts";
import type { SessionState } from "./sessions/session-state.ts";

/** One request, with everything that the service needs to handle it. */
export interface RequestContext {
  readonly entry: JournalEntry;
  readonly credentials: Credentials;
  readonly body: ServiceRequest["body"];
  readonly onHang: ServiceRequest["onHang"];
  readonly session: SessionState;
  readonly options: ResolvedOptions;
  /** The origin of the response if the request succeeds, as known so far. */
  success: Source;
}

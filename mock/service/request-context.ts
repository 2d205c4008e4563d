import type { ServiceRequest } from "./adapter.ts";
import type { Credentials } from "./credentials.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Answer } from "./reply.ts";
import type { JournalEntry } from "./sessions/journal-entry.ts";
import type { SessionState } from "./sessions/session-state.ts";

/** One request, with all that the service needs to answer it. */
export interface RequestContext {
  readonly entry: JournalEntry;
  readonly credentials: Credentials;
  readonly body: ServiceRequest["body"];
  readonly onHang: ServiceRequest["onHang"];
  readonly session: SessionState;
  readonly options: ResolvedOptions;
  /** Where a success would come from, by what was seen of the request so far. */
  success: Source;
}

/** Where an answer comes from. */
export type Source = Pick<Answer, "provenance" | "assumption">;

/** The contract shows the answer. */
export const DECLARED: Source = { provenance: "declared", assumption: undefined };

/** The contract does not show it; the test has stated it with an option. */
export const STATED: Source = { provenance: "assumed", assumption: undefined };

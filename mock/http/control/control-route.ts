import type { MockPlantStore, MockSession } from "../../service/mock-plant-store.ts";
import type { Service } from "../../service/service.ts";
import type { SessionEntry } from "../../service/sessions/session-registry.ts";
import type { Schema } from "./json-schema.ts";
import type { OpenSessions } from "./open-sessions.ts";

/**
 * One call of the control API. The OpenAPI document, the page in docs, the checks of parameters and options, and the
 * URLs that the remote control calls all derive from it.
 */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below `/_mock`. The part in braces becomes {@link ControlCall.name}. */
  readonly path: string;
  /** One sentence that begins with a verb. */
  readonly summary: string;
  /** The description of the part in braces. */
  readonly variable?: string;
  /** The pattern of the part in braces, if not every text is valid. */
  readonly pattern?: string;
  /** How long the mock may delay the response, in milliseconds; by default not at all. */
  readonly maxWaitMs?: number;
  /** Whether the response has an ETag, with which a caller can ask whether anything has changed since. */
  readonly isVersioned?: true;
  /** The query parameters. A call for one session includes {@link SESSION}. */
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly body?: CallBody;
  /** The schema of the result. */
  readonly result?: Schema;
  /** The status of a response with a result, by default 200. */
  readonly status?: number;
  /** The error responses by status, except those that every call can have, such as 401. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** Handles a call. Its result becomes a JSON response; `undefined` becomes a 204. */
  readonly handle: (call: ControlCall) => unknown;
}

/** A query parameter in the document. */
export interface Parameter {
  readonly description: string;
  readonly schema: Schema;
}

/** A request body in the document. It is an options object if its schema forbids additional properties. */
export interface CallBody {
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** The example in the document and in docs, as JSON text. */
  readonly example: string;
}

/** A control call. Its parameters and options have been checked against the {@link ControlRoute}. */
export interface ControlCall {
  readonly mock: MockPlantStore;
  readonly service: Service;
  readonly sessions: OpenSessions;
  /** Identifies this run of the mock: a restarted mock has a new value. */
  readonly instance: string;
  /** The session that the query names; by default the root. */
  readonly session: MockSession;
  /** Its name, and its current state. */
  readonly opened: SessionEntry;
  readonly query: URLSearchParams;
  /** The variable part of the path. */
  readonly name: string;
  readonly body: string;
  /** The body, if it is an options object. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Resolves when the connection is closed, or the response is sent. */
  readonly closed: Promise<unknown>;
}

/** The version of the control API. Both sides must have the same major version. */
export const CONTROL_VERSION = "3.0.0";

/** The header that limits a call to one run of the mock: {@link ControlCall.instance}. Each response has it too. */
export const INSTANCE_HEADER = "Plant-Store-Mock-Instance";

/** The parameter of every call for one session. */
export const SESSION: { readonly session: Parameter } = {
  session: { description: "The name of the session.", schema: { type: "string", default: "root" } },
};

/** Whether a body is an options object, whose keys are checked against its schema. */
export function isOptions({ schema }: CallBody): boolean {
  return schema.additionalProperties === false;
}

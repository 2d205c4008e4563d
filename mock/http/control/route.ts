import type { MockPlantStore, MockSession } from "../../service/mock-plant-store.ts";
import type { OpenSessions } from "./open-sessions.ts";
import { type Schema, schemaRef } from "./schema.ts";

/**
 * One call of the control API. The OpenAPI document, the page in docs, the names of parameters and options, and the paths
 * of the remote control all derive from it.
 */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below `/_mock`. A part in braces is {@link ControlCall.name}. */
  readonly path: string;
  /** One sentence that begins with a verb. */
  readonly summary: string;
  /** The description of the part in braces. */
  readonly variable?: string;
  /** Whether the response may be delayed. */
  readonly waits?: boolean;
  /** The query parameters. A call for one session includes {@link SESSION}. */
  readonly query?: Readonly<Record<string, Parameter>>;
  /** The request body, JSON. */
  readonly body?: Body;
  /** The responses by status. The document adds those of every call, such as 401. */
  readonly replies: Readonly<Record<number, Reply>>;
  /**
   * Handles a call. The result is sent as JSON with the success status in {@link Route.replies}; `undefined` as 204. A
   * function writes lines of JSON instead, until the caller disconnects.
   */
  readonly handle: (call: ControlCall) => unknown;
}

/** A query parameter in the document. */
export interface Parameter {
  readonly description: string;
  readonly schema: Schema;
}

/** A request body in the document. If its schema allows no additional properties, it is an options object. */
export interface Body {
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** As the page in docs shows it. */
  readonly example: string;
}

/** A response in the document. Without a schema it has no body. */
export interface Reply {
  readonly description: string;
  readonly schema?: Schema;
  /** The media type; JSON by default. */
  readonly type?: string;
}

/** A control call. Its parameters and options have been checked against the {@link Route}. */
export interface ControlCall {
  readonly mock: MockPlantStore;
  readonly sessions: OpenSessions;
  /** Identifies this start of the mock. */
  readonly instance: string;
  /** The session that the query names; by default the root. */
  readonly session: MockSession;
  readonly query: URLSearchParams;
  /** The variable part of the path. */
  readonly name: string;
  readonly body: string;
  /** The body, if it is an options object. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The version of the control API. The major version must be the same on both sides. */
export const CONTROL_VERSION = "2.0.0";

/** The header of a call that is valid only until the mock is restarted. */
export const INSTANCE_HEADER = "Plant-Store-Mock-Instance";

/** The parameter of every call for one session. */
export const SESSION: { readonly session: Parameter } = {
  session: { description: "The name of the session.", schema: { type: "string", default: "root" } },
};

/** An error response in the document. */
export function refusal(description: string): Reply {
  return { description, schema: schemaRef("Error") };
}

/** Whether a body is an options object, whose keys are checked. */
export function isOptions(body: Body | undefined): body is Body {
  return body?.schema.additionalProperties === false;
}

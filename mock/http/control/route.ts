import type { Writable } from "node:stream";
import type { MockPlantStore, MockSession } from "../../service/mock-plant-store.ts";
import type { OpenSessions } from "./open-sessions.ts";
import { type Schema, schemaRef } from "./schema.ts";

/**
 * One call of the control API. Everything that is said of it elsewhere comes from here: the OpenAPI document, the page
 * in docs, the names that a call may use, and the paths of the remote control.
 */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/_mock`. A part in braces is {@link ControlCall.name}. */
  readonly path: string;
  /** One sentence that begins with a verb. */
  readonly summary: string;
  /** The part in braces, in words. */
  readonly variable?: string;
  /** Whether it may wait before it answers. */
  readonly waits?: boolean;
  /** The query parameters. With {@link SESSION} the call is about one session. */
  readonly query?: Readonly<Record<string, Parameter>>;
  /** The request body, JSON. */
  readonly body?: Body;
  /** By status. What every call may answer (401, 403 and so on) is added in the document. */
  readonly replies: Readonly<Record<number, Reply>>;
  readonly handle: (call: ControlCall) => ControlReply | Promise<ControlReply>;
}

/** A query parameter in the document. */
export interface Parameter {
  readonly description: string;
  readonly schema: Schema;
}

/** A request body in the document. If its schema allows no additional properties, it is a set of options. */
export interface Body {
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** As the page in docs shows it. */
  readonly example: string;
}

/** A reply in the document; without a schema it has no body. */
export interface Reply {
  readonly description: string;
  readonly schema?: Schema;
  /** The media type; JSON by default. */
  readonly type?: string;
}

/** What a call has to work with. Its names are checked: nothing is here that its {@link Route} does not know. */
export interface ControlCall {
  readonly mock: MockPlantStore;
  readonly sessions: OpenSessions;
  /** Identifies this start of the mock. */
  readonly instance: string;
  /** The session that the call is about: the root, unless the query names another. */
  readonly session: MockSession;
  readonly query: URLSearchParams;
  /** The variable part of the path. */
  readonly name: string;
  readonly body: string;
  /** The body, if it is a set of options. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What it gives: a value goes out as JSON; without one there is no body. */
export interface ControlReply {
  readonly status: number;
  readonly value?: unknown;
  /** Writes lines of JSON in place of a value, until the caller leaves. */
  readonly stream?: (output: Writable) => void;
}

/** The version of the control API. The two sides must agree on its first number. */
export const CONTROL_VERSION = "2.0.0";

/** The header of a call that is meant for one start of the mock alone. */
export const INSTANCE_HEADER = "Plant-Store-Mock-Instance";

export const DONE: ControlReply = { status: 204 };

export function ok(value: unknown): ControlReply {
  return { status: 200, value };
}

/** The parameter of every call that is about one session. */
export const SESSION: { readonly session: Parameter } = {
  session: { description: "The session that the call is about.", schema: { type: "string", default: "root" } },
};

/** A refusal in the document. */
export function refusal(description: string): Reply {
  return { description, schema: schemaRef("Error") };
}

/** Whether a body is a set of options, whose names are checked. */
export function isOptions(body: Body | undefined): body is Body {
  return body?.schema.additionalProperties === false;
}

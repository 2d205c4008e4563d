import type { MockPlantStore, MockSession } from "../../service/mock-plant-store.ts";
import type { Service } from "../../service/service.ts";
import type { SessionState } from "../../service/sessions/session-state.ts";
import type { KeptGates } from "./kept-gates.ts";

/**
 * One call of the control API. The table in docs, the checks of parameters and keys, and the URLs that the remote control
 * calls derive from it.
 */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below `/_mock`. The part in braces becomes {@link ControlCall.name}. */
  readonly path: string;
  /** One sentence that begins with a verb. */
  readonly summary: string;
  /** How long the mock may delay the response, in milliseconds; by default not at all. */
  readonly maxWaitMs?: number;
  /** Whether the response has an ETag, with which a caller can ask whether anything has changed since. */
  readonly isVersioned?: true;
  /** The query parameters in addition to `session`, which every call may have. */
  readonly query?: readonly string[];
  readonly body?: CallBody;
  /** The status of a response with a result, by default 200. */
  readonly status?: number;
  /** Handles a call. Its result becomes a JSON response; `undefined` becomes a 204. */
  readonly handle: (call: ControlCall) => unknown;
}

/** The body of a call, in JSON. */
export interface CallBody {
  /** The example in docs. */
  readonly example: string;
  /** Its keys, if it is an options object. */
  readonly keys?: readonly string[];
  readonly isOptional?: true;
}

/** A control call. Its parameters and keys have been checked against the {@link ControlRoute}. */
export interface ControlCall {
  readonly mock: MockPlantStore;
  readonly service: Service;
  readonly gates: KeptGates;
  /** Identifies this run of the mock: a restarted mock has a new value. */
  readonly instance: string;
  /** The session that the query names; by default the root. */
  readonly session: MockSession;
  /** Its current state. */
  readonly state: SessionState;
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
export const CONTROL_VERSION = "4.0.0";

/** The header that limits a call to one run of the mock: {@link ControlCall.instance}. Each response has it too. */
export const INSTANCE_HEADER = "Plant-Store-Mock-Instance";

/** The part of a {@link ControlRoute.path} in braces. */
export const VARIABLE = /\{\w+\}/;

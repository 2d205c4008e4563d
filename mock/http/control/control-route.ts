import type { MockPlantStore, MockSession } from "../../service/mock-plant-store.ts";
import type { Service } from "../../service/service.ts";
import type { SessionState } from "../../service/sessions/session-state.ts";

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
  /** The query parameters in addition to `session`, which every call may have. */
  readonly query?: readonly string[];
  readonly body?: CallBody;
  /** The status of a response with a result, by default 200. */
  readonly status?: number;
  /** Handles a call. Its result becomes a JSON response; `undefined` becomes a 204. */
  readonly handle: (call: ControlCall) => unknown;
}

interface CallBody {
  /** In JSON, for docs. */
  readonly example: string;
  /** Its keys; absent if what reads it checks them. */
  readonly keys?: readonly string[];
  readonly isOptional?: true;
}

/** A control call. Its parameters and keys have been checked against the {@link ControlRoute}. */
export interface ControlCall {
  readonly mock: MockPlantStore;
  readonly service: Service;
  /** The base URL of the service, with the host and the port of the call. */
  readonly baseUrl: string;
  /** Identifies this run of the mock: a restarted mock has a new value. */
  readonly instance: string;
  /** The session that the query names; by default the root. */
  readonly session: MockSession;
  readonly state: SessionState;
  readonly query: URLSearchParams;
  /** The variable part of the path. */
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The version of the control API. Both sides must have the same major version. */
export const CONTROL_VERSION = "4.1.0";

/** The header that limits a call to one run of the mock: {@link ControlCall.instance}. Each response has it too. */
export const INSTANCE_HEADER = "Plant-Store-Mock-Instance";

/** The part of a {@link ControlRoute.path} in braces. */
export const VARIABLE = /\{\w+\}/;

/** The reason to reject a control call, and the status of the response. */
export class ControlError extends Error {
  /** @param code - The `error` value of the response body. */
  constructor(
    readonly status: number,
    message: string,
    readonly headers: readonly string[] = [],
    readonly code: number = status * 100,
  ) {
    super(message);
  }
}

/**
 * Runs the part of a call that checks its input, where a TypeError is the refusal. Elsewhere it is a mistake of the mock.
 *
 * @throws {@link ControlError} with status 400.
 */
export function orBadRequest<Value>(check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    throw error instanceof TypeError ? new ControlError(400, error.message) : error;
  }
}

/** The `error` value for an unknown session, which tells it from a 404 for something within a session. */
export const NO_SESSION_CODE = 40_401;

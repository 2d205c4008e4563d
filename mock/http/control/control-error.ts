/** The reason to reject a control call, and the status of the response. */
export class ControlError extends Error {
  readonly status: number;
  readonly headers: readonly string[];
  /** The `error` value of the response body. */
  readonly code: number;

  constructor(status: number, message: string, headers: readonly string[] = [], code = status * 100) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.code = code;
  }
}

/**
 * Runs the part of a call that checks its input, where a TypeError is the refusal. Elsewhere it is a mistake of the mock.
 *
 * @throws {@link ControlError} with status 400.
 */
export function checked<Value>(check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    throw error instanceof TypeError ? new ControlError(400, error.message) : error;
  }
}

/** The `error` value for an unknown session, which tells it from a 404 for something within a session. */
export const NO_SESSION_CODE = 40_401;

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

/** The `error` value for an unknown session, which tells it from a 404 for something within a session. */
export const NO_SESSION_CODE = 40_401;

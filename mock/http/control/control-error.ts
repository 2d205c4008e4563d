/** Why a control call is refused. */
export class ControlError extends Error {
  readonly status: number;
  readonly headers: readonly string[];

  constructor(status: number, message: string, headers: readonly string[] = []) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

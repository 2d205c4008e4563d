import type { Validation } from "../checks/schema.ts";
import type { ApiFetch, ApiReply } from "./openapi-fetch.ts";

/** Describes one operation of the service. */
export interface Operation<Input, Output> {
  readonly method: string;
  readonly path: string;
  /** The name of the input in messages. */
  readonly inputName: string;
  /** The meaning of an unknown outcome, for messages. */
  readonly unknownOutcome: string;
  /** Whether a second request is harmless, so that every network failure may be retried. */
  readonly isIdempotent: boolean;
  /** Validates what the caller passed; the resulting value is sent. */
  readonly validateInput: (given: unknown) => Validation<Input>;
  /** Checks the body of a 2xx. */
  readonly validateOutput: (body: unknown) => Validation<Output>;
  /**
   * Sends a request through openapi-fetch, which ties path, method and body to the contract.
   *
   * @param api - The client of openapi-fetch, typed by the contract of the operation.
   */
  send(api: unknown, input: Input, fetch: ApiFetch): Promise<ApiReply>;
}

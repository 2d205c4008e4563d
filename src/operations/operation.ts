import type { Client } from "openapi-fetch";
import type { paths } from "../contract/openapi.ts";
import type { Result } from "../contract/schema.ts";
import type { ApiFetch, ApiReply } from "../transport/api.ts";

/** One operation of the service: all that a call has to know of it. */
export interface Operation<Input, ValidInput, Output> {
  readonly method: string;
  readonly path: string;
  /** What the input is called in messages. */
  readonly inputName: string;
  /** What it means that the outcome is unknown, in words. */
  readonly unknownOutcome: string;
  /** Whether a second request does no harm, so that every failure of the network may be retried. */
  readonly isRepeatable: boolean;
  /** Checks what the caller gives; the value is what is sent. */
  readonly validateInput: (input: Input) => Result<ValidInput>;
  /** Checks the body of a 2xx. */
  readonly validateOutput: (body: unknown) => Result<Output>;
  /** Sends the request through openapi-fetch, which ties path, method and body to the contract. */
  readonly issue: (api: Client<paths>, input: ValidInput, fetch: ApiFetch) => Promise<ApiReply>;
}

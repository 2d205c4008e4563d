import type { Client } from "openapi-fetch";
import type { Validation } from "../checks/schema.ts";
import type { paths } from "../contract/openapi.ts";
import type { ApiFetch, ApiReply } from "../transport/api.ts";
import type { CallOperation } from "../transport/call.ts";

/** Describes one operation of the service. */
export interface Operation<Input, ValidInput, Output> extends CallOperation<Output> {
  /** The name of the input in messages. */
  readonly inputName: string;
  /** Validates the input; the resulting value is sent. */
  readonly validateInput: (input: Input) => Validation<ValidInput>;
  /** Sends the request through openapi-fetch, which ties path, method and body to the contract. */
  send(api: Client<paths>, input: ValidInput, fetch: ApiFetch): Promise<ApiReply>;
}

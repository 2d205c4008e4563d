import type { Client } from "openapi-fetch";
import type { paths } from "../contract/openapi.ts";
import type { Result } from "../contract/schema.ts";
import type { ApiFetch, ApiReply } from "../transport/api.ts";
import type { CallOperation, PreparedRequest } from "../transport/call.ts";

/** Describes one operation of the service. */
export interface Operation<Input, ValidInput, Output> extends CallOperation<Output> {
  /** The name of the input in messages. */
  readonly inputName: string;
  /** Validates the input; the resulting value is sent. */
  readonly validateInput: (input: Input) => Result<ValidInput>;
  /** Sends the request through openapi-fetch, which ties path, method and body to the contract. */
  readonly send: (api: Client<paths>, input: ValidInput, fetch: ApiFetch) => Promise<ApiReply>;
}

/** The validated request of one call. A class, because a closure with its context takes more memory. */
export class OperationRequest<ValidInput> implements PreparedRequest {
  readonly #operation: Pick<Operation<never, ValidInput, unknown>, "send">;
  readonly #api: Client<paths>;
  readonly #input: ValidInput;

  constructor(operation: Pick<Operation<never, ValidInput, unknown>, "send">, api: Client<paths>, input: ValidInput) {
    this.#operation = operation;
    this.#api = api;
    this.#input = input;
  }

  send(fetch: ApiFetch): Promise<ApiReply> {
    return this.#operation.send(this.#api, this.#input, fetch);
  }
}

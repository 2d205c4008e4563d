import type { Client } from "openapi-fetch";
import type { paths } from "../contract/openapi.ts";
import type { Result } from "../contract/schema.ts";
import type { ApiFetch, ApiReply } from "../transport/api.ts";
import type { CallOperation, PreparedRequest } from "../transport/call.ts";

/** One operation of the service: all that a call has to know of it. */
export interface Operation<Input, ValidInput, Output> extends CallOperation<Output> {
  /** What the input is called in messages. */
  readonly inputName: string;
  /** Checks what the caller gives; the value is what is sent. */
  readonly validateInput: (input: Input) => Result<ValidInput>;
  /** Sends the request through openapi-fetch, which ties path, method and body to the contract. */
  readonly send: (api: Client<paths>, input: ValidInput, fetch: ApiFetch) => Promise<ApiReply>;
}

/** The request of one call, with its input checked. An object, because every call has one, and a closure would be larger. */
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

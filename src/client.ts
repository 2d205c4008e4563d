import type { Client } from "openapi-fetch";
import type { paths } from "./contract/openapi.ts";
import type { NewPlant, Plant } from "./contract/plant.ts";
import type { AnyPlantStoreError, PlantStoreConfigError } from "./errors.ts";
import { createPlant } from "./operations/create-plant.ts";
import type { Operation } from "./operations/operation.ts";
import {
  type CreatePlantOptions,
  checkFetch,
  type PlantStoreClientOptions,
  readCallOptions,
  readClientOptions,
  type Settings,
} from "./options.ts";
import type { CreatePlantResult, PlantCreator } from "./plant-creator.ts";
import { isAborted } from "./transport/abort.ts";
import { createApi } from "./transport/api.ts";
import { AttemptLog } from "./transport/attempt-log.ts";
import type { Call, CallSettings } from "./transport/call.ts";
import { type Clock, systemClock } from "./transport/clock.ts";
import { Deadline } from "./transport/deadline.ts";
import { errorOf, inputError } from "./transport/failure.ts";
import { redactHeaders } from "./transport/redact.ts";
import { ABORTED, type Success } from "./transport/result.ts";
import { sendWithRetry } from "./transport/retry.ts";

/** A failed call, before the method throws or returns its error. */
interface Failure {
  readonly type: "failure";
  readonly error: AnyPlantStoreError;
}

/**
 * A client of the Plant Store service.
 *
 * It holds no connection and no timer between calls, so one client serves a whole application.
 *
 * @example
 * {@includeCode ../examples/quick-start.ts}
 */
export class PlantStoreClient implements PlantCreator {
  // Private names, so that console.log, JSON.stringify and structuredClone show no token.
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #api: Client<paths>;

  /**
   * Creates a client. It sends nothing before the first call.
   *
   * @param options - The address of the service, the token, and how to send requests.
   * @throws {@link PlantStoreConfigError} if an option is missing or invalid.
   */
  constructor(options?: PlantStoreClientOptions);
  /** @internal */
  constructor(options?: PlantStoreClientOptions, clock?: Clock);
  constructor(options: PlantStoreClientOptions = {}, clock: Clock = systemClock) {
    this.#settings = readClientOptions(options);
    this.#clock = clock;
    this.#api = createApi(this.#settings.baseUrl);
  }

  /**
   * Creates a plant: `POST /plants` (contract, "Endpoints"). The `outcome` of an error says whether the plant may exist.
   * By default, a request is retried only if that cannot create a second plant.
   *
   * @param plant - The plant. Only `id`, `name` and `tag` are sent.
   * @param options - Options of this call, which override the client's.
   * @returns The plant as the service returned it, including fields that the contract does not declare.
   * @throws {@link PlantStoreConfigError} if an option is invalid.
   * @throws {@link PlantStoreInputError} if the plant breaks the contract; nothing was sent.
   * @throws {@link PlantStoreTokenError} if the token provider failed.
   * @throws {@link PlantStoreApiError} if the service returned its Error body.
   * @throws {@link PlantStoreResponseError} if it returned anything else that is not a plant.
   * @throws {@link PlantStoreConnectionError} if no response arrived, or only part of one.
   * @throws {@link PlantStoreTimeoutError} if the call took longer than `timeoutMs`.
   * @throws The signal's reason, unchanged, if the signal was aborted.
   */
  createPlant(plant: NewPlant, options?: CreatePlantOptions): Promise<Plant> {
    return this.#call(createPlant, plant, options, unwrap);
  }

  /**
   * Creates a plant like {@link PlantStoreClient.createPlant}, but resolves with the error instead of rejecting.
   *
   * @param plant - The plant. Only `id`, `name` and `tag` are sent.
   * @param options - Options of this call, which override the client's.
   * @returns The plant with the status and headers of the response, or the error; both with every attempt. An abort is a
   * {@link PlantStoreAbortError} here, so that its outcome is known.
   *
   * @example
   * {@includeCode ../docs/code/reference.ts#try}
   */
  tryCreatePlant(plant: NewPlant, options?: CreatePlantOptions): Promise<CreatePlantResult> {
    return this.#call(createPlant, plant, options, resultOf);
  }

  /**
   * Checks the options and the input; then, within the deadline, gets a token, sends and decodes.
   *
   * @param finish - Converts the success or failure to the return value of the method.
   */
  #call<Input, ValidInput, Output, Returned>(
    operation: Operation<Input, ValidInput, Output>,
    input: Input,
    options: CreatePlantOptions | undefined,
    finish: (ended: Success<Output> | Failure, log: AttemptLog) => Returned,
  ): Promise<Returned> {
    const log = new AttemptLog(this.#clock);
    const call = this.#prepare(operation, input, options, log);
    if (call.type === "failure") return Promise.resolve(call).then((failure) => finish(failure, log));
    const deadline = new Deadline(call);
    return deadline.run(sendWithRetry).then(
      (result) => {
        deadline.release();
        // Errors are created here, so that their stack trace leads to the caller.
        return finish(result.type === "success" ? result : failure(errorOf(result, call)), log);
      },
      (fault) => {
        deadline.release();
        throw fault;
      },
    );
  }

  /** Checks the options and the input of a call. */
  #prepare<Input, ValidInput, Output>(
    operation: Operation<Input, ValidInput, Output>,
    input: Input,
    options: CreatePlantOptions | undefined,
    log: AttemptLog,
  ): Call<Output> | Failure {
    const client = this.#settings;
    let settings: CallSettings = client;
    try {
      checkFetch(client.fetch);
      if (options !== undefined) settings = readCallOptions(options, settings);
    } catch (error) {
      return failure(error as PlantStoreConfigError);
    }
    const { pacing } = settings;
    log.configure(settings.observers, pacing?.log);
    if (pacing) pacing.log = log;
    if (isAborted(settings.signal)) return failure(errorOf(ABORTED, { operation, client, settings, log }));
    // A wrapper of the client may pass the options on with another input.
    const paced = pacing?.input === input ? pacing : undefined;
    const checked = paced?.checked ?? operation.validateInput(input);
    if (paced) paced.checked = checked;
    if (checked.issues) return failure(inputError(operation.inputName, checked.issues));
    const { value } = checked;
    return { type: "call", operation, api: this.#api, input: value, client, settings, log, clock: this.#clock };
  }
}

function failure(error: AnyPlantStoreError): Failure {
  return { type: "failure", error };
}

function unwrap<Value>(result: Success<Value> | Failure): Value {
  if (result.type === "success") return result.value;
  throw result.error.kind === "aborted" ? result.error.cause : result.error;
}

function resultOf(result: Success<Plant> | Failure, { list: attempts, redact }: AttemptLog): CreatePlantResult {
  if (result.type === "failure") return { ok: false, error: result.error, attempts };
  const { value: plant, reply } = result;
  return { ok: true, plant, status: reply.status, headers: redactHeaders(reply, redact), attempts };
}

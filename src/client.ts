import type { Client } from "openapi-fetch";
import type { paths } from "./contract/openapi.ts";
import type { NewPlant, Plant } from "./contract/plant.ts";
import { type BeginCall, PACED, type PacedOptions, type Try } from "./create-plants/paced-creator.ts";
import type { Refusal } from "./create-plants/pacer.ts";
import type { AnyPlantStoreError, PlantStoreConfigError } from "./errors.ts";
import { createPlant } from "./operations/create-plant.ts";
import { type Operation, OperationRequest } from "./operations/operation.ts";
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
import type { Call, CallSettings, Pacing } from "./transport/call.ts";
import { type Clock, systemClock } from "./transport/clock.ts";
import { Deadline } from "./transport/deadline.ts";
import { errorOf, type FailedCall, inputError } from "./transport/failure.ts";
import { redactHeaders } from "./transport/redact.ts";
import { ABORTED, type Success } from "./transport/result.ts";
import { sendWithRetry } from "./transport/retry.ts";
import { isRefusal } from "./transport/verdict.ts";

/** A failed call, before each method throws or returns it. */
interface Failure {
  readonly type: "failure";
  readonly error: AnyPlantStoreError;
  /** Set if the service refused the caller. */
  readonly refusal?: Refusal | undefined;
}

/** How a call of many is sent: its settings are checked already. */
interface PacedSettings extends Pacing {
  readonly settings: CallSettings;
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
  // Private names, so that neither console.log nor JSON.stringify nor structuredClone shows a token.
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #api: Client<paths>;

  /**
   * Makes a client. It sends nothing before the first call.
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
   * Creates a plant: `POST /plants` (contract, "Endpoints").
   *
   * @param plant - The plant. Only `id`, `name` and `tag` are sent.
   * @param options - Options of this call, which override the client's.
   * @returns The plant as the service returned it, including fields that the contract does not declare.
   * @throws {@link PlantStoreConfigError} if an option is invalid.
   * @throws {@link PlantStoreInputError} if the plant breaks the contract; nothing was sent.
   * @throws {@link PlantStoreTokenError} if the token provider failed.
   * @throws {@link PlantStoreApiError} if the service returned its Error body.
   * @throws {@link PlantStoreResponseError} if it returned anything else that is not a plant.
   * @throws {@link PlantStoreConnectionError} if no response arrived, or only a part of one.
   * @throws {@link PlantStoreTimeoutError} if the call took longer than `timeoutMs`.
   * @throws The signal's reason, unchanged, if the signal was aborted.
   *
   * @example
   * {@includeCode ../examples/quick-start.ts}
   */
  createPlant(plant: NewPlant, options?: CreatePlantOptions): Promise<Plant> {
    return this.#call(createPlant, plant, options, new AttemptLog(this.#clock), unwrap);
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
   * {@includeCode ../examples/error-handling.ts#try}
   */
  tryCreatePlant(plant: NewPlant, options?: CreatePlantOptions): Promise<CreatePlantResult> {
    const log = new AttemptLog(this.#clock);
    return this.#call(createPlant, plant, options, log, (ended) => resultOf(ended, log));
  }

  /** @internal */
  [PACED]({ signal, mayStart }: PacedOptions): BeginCall | undefined {
    if (isReplaced(this)) return undefined;
    const settings: CallSettings = { ...this.#settings, signal };
    return (plant) => {
      const log = new AttemptLog(this.#clock);
      return { try: () => this.#try(plant, log, settings, mayStart) };
    };
  }

  #try(plant: NewPlant, log: AttemptLog, settings: CallSettings, mayStart: () => boolean): Promise<Try> {
    let isHeld = false;
    const pacing = {
      settings,
      mayStart: () => {
        isHeld = !mayStart();
        return !isHeld;
      },
    };
    const tryOf = (ended: Success<Plant> | Failure): Try => {
      const result = resultOf(ended, log);
      if (isHeld) return { kind: "held", result: log.list.length > 0 ? result : undefined };
      const refusal = ended.type === "failure" ? ended.refusal : undefined;
      return refusal ? { kind: "refused", result, retryAfterMs: refusal.retryAfterMs } : { kind: "settled", result };
    };
    return this.#call(createPlant, plant, undefined, log, tryOf, pacing);
  }

  /**
   * Validates, then, within the deadline: token, attempts, decode.
   *
   * @param finish - Turns the end of the call into the result of the method.
   */
  #call<Input, ValidInput, Output, Returned>(
    operation: Operation<Input, ValidInput, Output>,
    input: Input,
    options: CreatePlantOptions | undefined,
    log: AttemptLog,
    finish: (ended: Success<Output> | Failure) => Returned,
    pacing?: PacedSettings,
  ): Promise<Returned> {
    const call = this.#prepare(operation, input, options, log, pacing);
    if (isFailure(call)) return Promise.resolve(call).then(finish);
    const deadline = new Deadline(call);
    return deadline.run(sendWithRetry).then(
      (result) => {
        deadline.release();
        // Errors are made here, so that their stack leads to the caller.
        return finish(result.type === "success" ? result : failureOf(result, call));
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
    pacing: PacedSettings | undefined,
  ): Call<Output> | Failure {
    const client = this.#settings;
    let settings: CallSettings = pacing?.settings ?? client;
    try {
      checkFetch(client.fetch);
      if (options !== undefined) settings = readCallOptions(options, settings);
    } catch (error) {
      return { type: "failure", error: error as PlantStoreConfigError };
    }
    log.observers = settings.observers;
    if (isAborted(settings.signal)) {
      return { type: "failure", error: errorOf(ABORTED, { operation, client, settings, log }) };
    }
    const checked = operation.validateInput(input);
    if (checked.issues) return { type: "failure", error: inputError(operation.inputName, checked.issues) };
    const request = new OperationRequest(operation, this.#api, checked.value);
    return { operation, request, client, settings, log, clock: this.#clock, pacing };
  }
}

function isFailure(checked: Call<unknown> | Failure): checked is Failure {
  return Object.hasOwn(checked, "error");
}

function failureOf(result: FailedCall, call: Call<unknown>): Failure {
  return { type: "failure", error: errorOf(result, call), refusal: isRefusal(result) ? result.verdict : undefined };
}

function unwrap<Value>(result: Success<Value> | Failure): Value {
  if (result.type === "success") return result.value;
  throw result.error.kind === "aborted" ? result.error.cause : result.error;
}

function resultOf(result: Success<Plant> | Failure, { list: attempts, redact }: AttemptLog): CreatePlantResult {
  if (result.type === "failure") return { ok: false, error: result.error, attempts };
  const { status, headers } = result.reply;
  return { ok: true, plant: result.value, status, headers: redactHeaders(headers, redact), attempts };
}

/**
 * Whether a subclass or a test's spy replaces the method, and so must be called. A class that names itself would be
 * bundled under another name, which stacks would show.
 */
function isReplaced({ tryCreatePlant }: PlantStoreClient): boolean {
  return tryCreatePlant !== PlantStoreClient.prototype.tryCreatePlant;
}

import type { Client } from "openapi-fetch";
import type { paths } from "./contract/openapi.ts";
import type { NewPlant, Plant } from "./contract/plant.ts";
import { type BeginCall, PACED, type PacedOptions, type Try } from "./create-plants/paced-creator.ts";
import type { Refusal } from "./create-plants/pacer.ts";
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
import type { Call, CallSettings, Pacing } from "./transport/call.ts";
import { type Clock, systemClock } from "./transport/clock.ts";
import { Deadline } from "./transport/deadline.ts";
import { errorOf, type FailedCall, inputError } from "./transport/failure.ts";
import { redactHeaders } from "./transport/redact.ts";
import { ABORTED, type Success } from "./transport/result.ts";
import { sendWithRetry } from "./transport/retry.ts";
import { isRefusal } from "./transport/verdict.ts";

/** A failed call, before the method throws or returns its error. */
interface Failure {
  readonly type: "failure";
  readonly error: AnyPlantStoreError;
  /** Set if the service refused the caller. */
  readonly refusal?: Refusal | undefined;
}

/** The pacing of a call that `createPlants` makes, with settings that were checked for the whole run. */
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
   * Checks the options and the input; then, within the deadline, gets a token, sends and decodes.
   *
   * @param finish - Converts the success or failure to the return value of the method.
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
    if (call.type === "failure") return Promise.resolve(call).then(finish);
    const deadline = new Deadline(call);
    return deadline.run(sendWithRetry).then(
      (result) => {
        deadline.release();
        // Errors are created here, so that their stack trace leads to the caller.
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
    const { value } = checked;
    return { type: "call", operation, api: this.#api, input: value, client, settings, log, clock: this.#clock, pacing };
  }
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
 * Whether a subclass or a test's spy replaces `tryCreatePlant`, which must then be called. Not a method, because bundlers
 * rename a class that refers to itself, and stack traces would show that name.
 */
function isReplaced({ tryCreatePlant }: PlantStoreClient): boolean {
  return tryCreatePlant !== PlantStoreClient.prototype.tryCreatePlant;
}

import { Call } from "./call/call.ts";
import { CLOCK, type Clock } from "./call/clock.ts";
import { headersOf } from "./call/decode.ts";
import { type Client, createApi } from "./call/openapi-fetch.ts";
import type { Operation } from "./call/operation.ts";
import { runCall } from "./call/run-call.ts";
import type { Settings } from "./call/settings.ts";
import { inputError, toError } from "./call/to-error.ts";
import { redactHeaders } from "./checks/redaction/redact-values.ts";
import {
  type CreatePlantOptions,
  checkFetch,
  type PlantStoreClientOptions,
  readCallOptions,
  readClientOptions,
} from "./client-options.ts";
import type { paths } from "./contract/openapi.ts";
import type { NewPlant, Plant } from "./contract/plant.ts";
import { isPlantStoreError } from "./errors.ts";
import { createPlant } from "./operations/create-plant.ts";
import { type CreatePlantResult, failedBy, type PlantCreator, withHeaders } from "./plant-creator.ts";

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
  readonly #api: Client<paths>;

  /**
   * Creates a client. It sends nothing before the first call.
   *
   * @param options - The address of the service, the token, and how to send requests.
   * @throws A {@link PlantStoreConfigError} if an option is missing or invalid.
   */
  constructor(options: PlantStoreClientOptions = {}) {
    this.#settings = readClientOptions(options);
    this.#api = createApi(this.#settings.baseUrl);
  }

  /** @internal */
  get [CLOCK](): Clock | undefined {
    return #settings in this ? this.#settings.clock : undefined;
  }

  /**
   * Creates a plant: `POST /plants` (contract, "Endpoints"). The `outcome` of an error says whether the plant may exist.
   * By default, a request is retried only if that cannot create a second plant. For many plants, see {@link createPlants}.
   *
   * @param plant - The plant. Only `id`, `name` and `tag` are sent.
   * @param options - Options of this call, which override the client's.
   * @returns The plant as the service returned it, including fields that the contract does not declare.
   * @throws A {@link PlantStoreConfigError} if an option is invalid.
   * @throws A {@link PlantStoreInputError} if the plant breaks the contract; nothing was sent.
   * @throws A {@link PlantStoreTokenError} if the token provider failed.
   * @throws A {@link PlantStoreApiError} if the service returned its Error body.
   * @throws A {@link PlantStoreResponseError} if it returned anything else that is not a plant.
   * @throws A {@link PlantStoreConnectionError} if no response arrived, or only part of one.
   * @throws A {@link PlantStoreTimeoutError} if the call took longer than `timeoutMs`.
   * @throws A {@link PlantStoreAbortError} if the signal was aborted.
   */
  createPlant(plant: NewPlant, options?: CreatePlantOptions): Promise<Plant> {
    return this.#call(createPlant, plant, options, plantAlone);
  }

  /**
   * Creates a plant like {@link PlantStoreClient.createPlant}, but resolves with the error instead of rejecting.
   *
   * @param plant - The plant. Only `id`, `name` and `tag` are sent.
   * @param options - Options of this call, which override the client's.
   * @returns The plant with the status and headers of the response, or the error; both with every attempt.
   *
   * @example
   * {@includeCode ../docs/code/reference.ts#try}
   */
  tryCreatePlant(plant: NewPlant, options?: CreatePlantOptions): Promise<CreatePlantResult> {
    return this.#call(createPlant, plant, options, created).catch(failed);
  }

  /**
   * Checks the options and the input; then, within the deadline, gets a token, sends and decodes.
   *
   * @param finish - Converts the success to the return value of the method.
   * @throws The error of the call.
   */
  #call<Output, Returned>(
    operation: Operation<unknown, Output>,
    input: unknown,
    options: CreatePlantOptions | undefined,
    finish: (value: Output, response: Response, call: Call<Output>) => Returned,
  ): Promise<Returned> {
    try {
      return runCall(this.#prepare(operation, input, options), finish);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #prepare<Output>(
    operation: Operation<unknown, Output>,
    input: unknown,
    options: CreatePlantOptions | undefined,
  ): Call<Output> {
    checkFetch(this.#settings.fetch);
    const settings = options === undefined ? this.#settings : readCallOptions(options, this.#settings);
    if (settings.signal?.aborted) {
      throw toError({ kind: "aborted" }, new Call(operation, this.#api, settings, input));
    }
    const checked = operation.validateInput(input);
    if (checked.issues) throw inputError(operation.inputName, checked.issues);
    return new Call(operation, this.#api, settings, checked.value);
  }
}

function plantAlone(plant: Plant): Plant {
  return plant;
}

function created(plant: Plant, response: Response, { attempts, redact }: Call<Plant>): CreatePlantResult {
  // Nothing else of the response stays in memory.
  const { status, headers } = response;
  return withHeaders({ ok: true, plant, status, attempts }, () => redactHeaders(headersOf({ headers }), redact));
}

function failed(error: unknown): CreatePlantResult {
  if (!isPlantStoreError(error)) throw error;
  return failedBy(error);
}

import type { NewPlant } from "../../src/contract/plant.ts";
import type { Cause } from "./assumptions.ts";
import type { Fetch } from "./mock-plant-store.ts";
import type { RateLimit } from "./rate-limit/rate-limit.ts";
import type { Reply } from "./reply.ts";

/** Which requests are authorized. */
export interface MockAuthOptions {
  /**
   * The valid bearer tokens, or a function that returns `true` for a valid one.
   *
   * @defaultValue any non-empty bearer token is valid
   */
  tokens?: readonly string[] | ((token: string) => boolean) | undefined;
  /**
   * The response to a request without a bearer token. Overrides `replies.missingToken`.
   *
   * @defaultValue 401 with `WWW-Authenticate: Bearer`
   */
  missing?: Reply | undefined;
  /**
   * The response to a request whose token is invalid. Overrides `replies.invalidToken`.
   *
   * @defaultValue 401 with `WWW-Authenticate: Bearer error="invalid_token"`
   */
  invalid?: Reply | undefined;
}

/** Options of the mock. All are optional; `undefined` counts as absent. */
export interface MockPlantStoreOptions {
  /**
   * The address of the service.
   *
   * @defaultValue `"https://plant-store.test"`
   */
  baseUrl?: string | undefined;
  /**
   * Which bearer tokens are valid; `false` accepts requests without a token.
   *
   * @defaultValue any non-empty bearer token is valid
   */
  auth?: false | MockAuthOptions | undefined;
  /**
   * Whether a second plant with the same id is stored, or rejected with 400.
   *
   * @defaultValue `"accept"`, because the contract promises 200 for every valid body
   */
  duplicateIds?: "accept" | "reject" | undefined;
  /**
   * Whether fields that the contract does not name are dropped, or rejected with 400.
   *
   * @defaultValue `"accept"`
   */
  unknownFields?: "accept" | "reject" | undefined;
  /**
   * Which media types a request body may have.
   *
   * @defaultValue `"json"`: only `application/json`
   */
  mediaType?: "json" | "any" | undefined;
  /**
   * How many requests each session admits. Above the limit the mock returns 429, after authorization and before faults.
   * The contract specifies no limit.
   *
   * @defaultValue no limit
   */
  rateLimit?: RateLimit | undefined;
  /**
   * The response to each cause of a rejection.
   *
   * @defaultValue the mock's own choice for each cause
   */
  replies?: Partial<Record<Cause, Reply | undefined>> | undefined;
  /**
   * The `error` value for each cause of a rejection, an int32.
   *
   * @defaultValue the mock's own choice for each cause
   */
  errorCodes?: Partial<Record<Cause, number | undefined>> | undefined;
  /**
   * The `fetch` for URLs outside the base URL.
   *
   * @defaultValue no `fetch`: such a request rejects with a TypeError, and `verify` fails
   */
  outside?: Fetch | undefined;
  /**
   * Whether `verify` fails if a response relied on an assumption.
   *
   * @defaultValue `false`
   */
  strict?: boolean | undefined;
  /**
   * How many of the newest requests each session keeps. All are counted.
   *
   * @defaultValue 1000
   */
  journalLimit?: number | undefined;
  /**
   * About how many bytes of requests and responses each session keeps: a character counts as two, and request headers
   * count only over HTTP. All sessions together keep eight times as many. Above the limit, the oldest requests lose
   * their headers, bodies and responses; method, path, status and provenance stay.
   *
   * @defaultValue 8,388,608 (8 MiB)
   */
  journalLimitBytes?: number | undefined;
  /**
   * The size limit of a request body, in bytes. Above the limit the mock returns 413.
   *
   * @defaultValue 1,048,576 (1 MiB)
   */
  maxBodyBytes?: number | undefined;
  /**
   * The plants that every session starts with, and that `reset` restores.
   *
   * @defaultValue no plants
   */
  seed?: readonly NewPlant[] | Iterable<NewPlant> | undefined;
}

import type { NewPlant } from "../../src/contract/plant.ts";
import type { Cause } from "./assumptions.ts";
import type { Fetch } from "./mock-plant-store.ts";
import type { RateLimit } from "./rate-limit/rate-limit.ts";
import type { Reply } from "./reply.ts";

/** What counts as authorized. */
export interface MockAuthOptions {
  /**
   * The tokens that are valid, or a function that knows.
   *
   * @defaultValue any non-empty bearer token is valid
   */
  tokens?: readonly string[] | ((token: string) => boolean) | undefined;
  /** The reply to a request without a bearer token. */
  missing?: Reply | undefined;
  /** The reply to a request whose token is not valid. */
  invalid?: Reply | undefined;
}

/** Options of the mock. All are optional; undefined means absent. */
export interface MockPlantStoreOptions {
  /**
   * The address of the service.
   *
   * @defaultValue `"https://plant-store.test"`
   */
  baseUrl?: string | undefined;
  /**
   * Which bearer tokens are valid; `false` asks for none.
   *
   * @defaultValue any non-empty bearer token is valid
   */
  auth?: false | MockAuthOptions | undefined;
  /**
   * What becomes of a plant whose id exists: the contract promises 200 for every valid body.
   *
   * @defaultValue `"accept"`
   */
  duplicateIds?: "accept" | "reject" | undefined;
  /**
   * What becomes of a body that has fields the contract does not name: they are dropped, or answered with 400.
   *
   * @defaultValue `"accept"`
   */
  unknownFields?: "accept" | "reject" | undefined;
  /**
   * Which media types a body may have.
   *
   * @defaultValue `"json"`: `application/json` alone
   */
  mediaType?: "json" | "any" | undefined;
  /**
   * How many requests each session admits; a request above it is answered with 429, after authorization and before
   * faults. The contract shows no limits.
   *
   * @defaultValue no limit
   */
  rateLimit?: RateLimit | undefined;
  /** The reply to each cause of a refusal, in place of the mock's own choice. */
  replies?: Partial<Record<Cause, Reply | undefined>> | undefined;
  /** The `error` value of each cause of a refusal, an int32, in place of the mock's own choice. */
  errorCodes?: Partial<Record<Cause, number | undefined>> | undefined;
  /**
   * What `fetch` does with a URL outside the base URL.
   *
   * @defaultValue it rejects with a TypeError, and `verify` fails
   */
  outside?: Fetch | undefined;
  /**
   * Whether `verify` fails when a test leaned on an assumption.
   *
   * @defaultValue `false`
   */
  strict?: boolean | undefined;
  /**
   * How many of the newest requests are kept in each session; all are counted.
   *
   * @defaultValue 1000
   */
  journalLimit?: number | undefined;
  /**
   * How many bytes the requests of each session may hold, and eight times as many those of all sessions. Above it, the
   * oldest requests drop their headers, bodies and replies; method, path, status and provenance stay.
   *
   * @defaultValue 8,388,608 (8 MiB)
   */
  journalLimitBytes?: number | undefined;
  /**
   * The largest request body, in bytes; a larger one is answered with 413.
   *
   * @defaultValue 1,048,576 (1 MiB)
   */
  maxBodyBytes?: number | undefined;
  /** The plants that every session starts with, and goes back to on `reset`. */
  seed?: Iterable<NewPlant> | undefined;
}

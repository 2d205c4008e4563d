import type { NewPlant } from "../../src/contract/plant.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Cause } from "./service-reply.ts";
import type { Reply } from "./wire-reply.ts";

/** The `error` value alone, in place of a whole {@link Reply}. */
export interface ErrorValue {
  /** The `error` value in the body, an int32. The status, the headers and the message stay as they are. */
  error: number;
}

/** The option `replies`: for each cause of a rejection, its response, or the `error` value of that. */
export type CauseReplies = { [Name in Cause]?: Reply | ErrorValue | undefined };

/**
 * Options of the mock. All are optional; `undefined` counts as absent. The advanced ones come last. The types admit what
 * TypeScript reads from an imported JSON file, such as that of `plant-store-mock calibrate`: a `string` or `boolean` in
 * place of its value. The mock checks the values.
 */
export interface MockPlantStoreOptions {
  /**
   * The plants that every session starts with, and that `reset` restores.
   *
   * @defaultValue no plants
   */
  initialPlants?: readonly NewPlant[] | Iterable<NewPlant> | undefined;
  /**
   * Whether a second plant with the same id is stored, or rejected with 400.
   *
   * @defaultValue `"accept"`, because the contract promises 200 for every valid body
   */
  duplicateIds?: "accept" | "reject" | (string & Record<never, never>) | undefined;
  /**
   * Which bearer tokens are valid; `false` accepts requests without a token.
   *
   * @defaultValue `true`: any non-empty bearer token is valid
   */
  auth?:
    | boolean
    | {
        /**
         * The valid bearer tokens, or a function that returns `true` for a valid one. The tokens of sessions are always
         * valid. With `[]` only they are: a request with any other token, that of the root session included, gets 401.
         *
         * @defaultValue any non-empty bearer token is valid
         */
        tokens?: readonly string[] | ((token: string) => boolean) | undefined;
      }
    | undefined;
  /**
   * How many requests each session admits. Above the limit the mock returns 429, after authorization and before faults.
   * The contract specifies no limit.
   *
   * @defaultValue no limit
   */
  rateLimit?: RateLimit | undefined;
  /**
   * With `"virtual"`, waits take no real time: the deadlines, retries and pace of a client with these `clientOptions`, and
   * the delays and rate limits of the mock, live by one clock, `mock.clock`, which jumps to the next timer. In memory only.
   *
   * @defaultValue `"real"`
   */
  time?: "real" | "virtual" | undefined;
  /**
   * Whether `verify` fails if a response relied on an assumption.
   *
   * @defaultValue `false`
   */
  strict?: boolean | undefined;
  /**
   * The address of the service.
   *
   * @defaultValue `"https://plant-store.test"`
   */
  baseUrl?: string | undefined;
  /**
   * The response to each cause of a rejection, or its `error` value alone, e.g. `{ duplicateId: { error: 17 } }`.
   *
   * @defaultValue the mock's own choice for each cause
   */
  replies?: CauseReplies | undefined;
  /**
   * Whether fields that the contract does not name are dropped, or rejected with 400.
   *
   * @defaultValue `"accept"`
   */
  unknownFields?: "accept" | "reject" | (string & Record<never, never>) | undefined;
  /**
   * How many of the newest requests each session keeps. All are counted.
   *
   * @defaultValue 1000
   */
  maxRecordedRequests?: number | undefined;
  /**
   * Advanced: which media types a request body may have.
   *
   * @defaultValue `"json"`: only `application/json`
   */
  mediaType?: "json" | "any" | (string & Record<never, never>) | undefined;
  /**
   * Advanced: the size limit of a request body, in bytes. Above the limit the mock returns 413.
   *
   * @defaultValue 1,048,576 (1 MiB)
   */
  maxBodyBytes?: number | undefined;
}

import type { Issue } from "./checks/schema.ts";
import type { ErrorBody } from "./contract/error-body.ts";

/**
 * Whether the plant may exist now.
 *
 * - `not-sent`: it cannot, because the service never received the request.
 * - `rejected`: it cannot, because the service refused the request. The client assumes that a service that responds with a
 *   4xx, except 408, has not stored the plant, as HTTP means it: the contract does not say so.
 * - `unknown`: it may. Only the service, or a person who can look into its store, knows.
 */
export type Outcome = "not-sent" | "rejected" | "unknown";

/** One request of a call. */
export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** Start of the attempt, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Duration including the body, in milliseconds. */
  readonly durationMs: number;
  /** The HTTP status, if a response arrived. */
  readonly status?: number;
  /** The runtime's code of a network failure, e.g. `ECONNREFUSED`, if it has one. */
  readonly code?: string;
  /** The wait before the next attempt, in milliseconds; absent for the last attempt. */
  readonly delayMs?: number;
  /**
   * Why it ended: `ok` (a plant), `status` (not 2xx), `network` (no response), `body` (an incomplete body, or a 2xx
   * without a valid plant), `timeout` (the deadline), `aborted` (the caller's signal).
   */
  readonly reason: "ok" | "status" | "network" | "body" | "timeout" | "aborted";
}

/** What every error of this library says of its call. */
export interface PlantStoreFailure {
  /** Whether the plant may exist now. If `unknown`, check before you send it again; otherwise it cannot exist. */
  readonly outcome: Outcome;
  /**
   * Whether another call is safe and may succeed: if the client's own `retry` policy would send the plant again (ignoring
   * `maxRetries`; with `safe`, only if that cannot create a second plant), or if the token provider failed. Wait for
   * `retryAfterMs` first, if there is one.
   */
  readonly retryable: boolean;
  /** Every request of the call; empty if none was sent. */
  readonly attempts: readonly Attempt[];
}

/**
 * What the constructor of every error of this library takes. By default, the outcome is `not-sent`, and the error is not
 * `retryable` and has no attempts.
 */
export type PlantStoreErrorInit = {
  /** The message, without tokens. */
  readonly message: string;
  /** The cause of the error, if any. */
  readonly cause?: unknown;
} & { readonly [Name in keyof PlantStoreFailure]?: PlantStoreFailure[Name] | undefined };

/** The fields that the class of a kind adds to those of every error. */
export type OwnFields<Kind> = Omit<Extract<ConcreteError, { readonly kind: Kind }>, keyof PlantStoreError>;

const BRAND = Symbol.for("plant-store-client.error");

/**
 * The base of every error of this library.
 *
 * `kind` says what happened, `outcome` whether the plant may exist. Tokens are redacted in every field. `instanceof` works
 * across the ESM and the CommonJS copy of the package.
 *
 * @example
 * {@includeCode ../examples/error-handling.ts#advise}
 */
export abstract class PlantStoreError<Kind extends string = AnyPlantStoreError["kind"]> extends Error {
  /**
   * `instanceof PlantStoreError` narrows to the union of all classes, so that a `switch` on `kind` narrows further.
   *
   * @hidden
   */
  declare static readonly [Symbol.hasInstance]: <Class extends { readonly prototype: PlantStoreError }>(
    this: Class,
    value: unknown,
  ) => value is PlantStoreError extends Class["prototype"] ? AnyPlantStoreError : Class["prototype"];
  /** The kind of error; a `switch` on it narrows {@link AnyPlantStoreError}. */
  declare readonly kind: Kind;
  // Declared here because `lib: ["es2021"]` has no type for it.
  /** The underlying error, or the signal's reason, if any. */
  declare readonly cause?: unknown;

  /**
   * Creates an error, for tests of an application.
   *
   * @param init - The message, the outcome, the attempts, the cause, and the fields of the class.
   */
  constructor(init: PlantStoreErrorInit & OwnFields<Kind>) {
    const { message, cause, outcome = "not-sent", retryable = false, attempts = [], ...fields } = init;
    super(message, cause === undefined ? undefined : { cause });
    // An own property too, so that logs show it.
    Object.assign(this, { kind: this.kind, outcome, retryable, attempts }, fields);
  }

  /**
   * A plain object for logs: name, message, kind, outcome, retryable, attempts, cause (an Error, or what JSON can express)
   * and the fields of the class; no stack.
   */
  toJSON(): Record<string, unknown> {
    const { name, message, cause } = this;
    const json: Record<string, unknown> = { name, message, ...(this as object) };
    const { headers } = json;
    if (headers instanceof Headers) json.headers = Object.fromEntries(headers);
    if (cause instanceof Error) {
      const { name, message, code } = cause as Error & { code?: unknown };
      // A bigint, or an object with a cycle, would make JSON.stringify throw.
      json.cause = { name, message, code: typeof code === "string" || typeof code === "number" ? code : undefined };
    } else if (isJson(cause)) json.cause = cause;
    return json;
  }
}
/** Merged with the class, so that editors show these properties without its type parameter. */
export interface PlantStoreError extends PlantStoreFailure {}

Object.defineProperty(PlantStoreError.prototype, BRAND, { value: true });
Object.defineProperty(PlantStoreError, Symbol.hasInstance, { value: isInstance });

/** Whether a cause that is not an Error can be logged, such as the object that an OAuth library throws. */
function isJson(cause: unknown): boolean {
  try {
    return JSON.stringify(cause) !== undefined;
  } catch {
    return false;
  }
}

/** `value instanceof this`, by brand and kind, so that it works across copies of this module. */
function isInstance(this: { readonly prototype: PlantStoreError }, value: unknown): boolean {
  const { prototype } = this;
  if (prototype === PlantStoreError.prototype) return isPlantStoreError(value);
  // The classes of this file. A class that an application derives is checked by its prototype.
  if (Object.hasOwn(prototype, "kind")) return isPlantStoreError(value) && value.kind === prototype.kind;
  return Function.prototype[Symbol.hasInstance].call(this, value);
}

/** Gives a class its name, as a text because a bundler may shorten that of the class, and its kind. */
function identify({ prototype }: { readonly prototype: PlantStoreError }, name: string, kind: string): void {
  Object.defineProperty(prototype, "name", { value: name, configurable: true, writable: true });
  Object.defineProperty(prototype, "kind", { value: kind, writable: true });
}

/**
 * An option is missing or invalid; nothing was sent.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#config}
 */
export class PlantStoreConfigError extends PlantStoreError<"config"> {
  /** The option, e.g. `timeoutMs` or `headers.Authorization`. */
  declare readonly option: string;
}
identify(PlantStoreConfigError, "PlantStoreConfigError", "config");

/**
 * The plant breaks a rule of the contract; nothing was sent.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#input}
 */
export class PlantStoreInputError extends PlantStoreError<"input"> {
  /** One issue for each invalid field. */
  declare readonly issues: readonly Issue[];
}
identify(PlantStoreInputError, "PlantStoreInputError", "input");

/**
 * The token provider failed, which is `retryable`, or returned an invalid token, which is not. Its own error, with tokens redacted, is the `cause`.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#token}
 */
export class PlantStoreTokenError extends PlantStoreError<"token"> {}
identify(PlantStoreTokenError, "PlantStoreTokenError", "token");

/**
 * The service returned its Error body, whose text is `body.message`. The `message` of the error also names the request,
 * the status and whether the plant may exist: `POST <url> returned 500: boom; the plant may exist`.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#api}
 */
export class PlantStoreApiError extends PlantStoreError<"api"> {
  /** The HTTP status; the contract declares 400. */
  declare readonly status: number;
  /** The Error body's `error`, an int32 whose meaning the contract does not define. */
  declare readonly code: number;
  /**
   * The Error body, including unknown fields, with tokens redacted: at most 1,000 values, 100 levels, and 4096 UTF-16 code
   * units of each string.
   */
  declare readonly body: ErrorBody;
  /** The headers of the response, with tokens redacted and without `Set-Cookie`. */
  declare readonly headers: Headers;
  /** The wait that the server asked for (Retry-After), in milliseconds; absent if it asked for none. */
  declare readonly retryAfterMs?: number;
}
identify(PlantStoreApiError, "PlantStoreApiError", "api");

/**
 * How a response deviates from the contract: `status` (not 2xx, without an Error body; or a 4xx except 408 whose body was cut
 * off, for the reason in `cause`), `redirect` (never followed);
 * for a 2xx also `media-type` (not JSON, or 204 or 205), `json` (malformed, empty, or not UTF-8), `shape` (not a Plant),
 * `too-large` (more than `maxResponseBytes`).
 */
export type ResponseProblem = "status" | "redirect" | "media-type" | "json" | "shape" | "too-large";

/**
 * The service, or a server in between, returned a response that the contract does not declare.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#response}
 */
export class PlantStoreResponseError extends PlantStoreError<"response"> {
  /** The HTTP status; 0 for a redirect in a browser, which hides the status. */
  declare readonly status: number;
  /** The headers of the response, with tokens redacted and without `Set-Cookie`. */
  declare readonly headers: Headers;
  /** The beginning of the body, at most 4096 UTF-16 code units, with tokens redacted. */
  declare readonly bodyText: string;
  /** How the response deviates from the contract. */
  declare readonly reason: ResponseProblem;
  /** The wait that the server asked for (Retry-After), in milliseconds; absent if it asked for none. */
  declare readonly retryAfterMs?: number;
}
identify(PlantStoreResponseError, "PlantStoreResponseError", "response");

/**
 * No response arrived, or only part of one, unless its status was a 4xx except 408. The runtime's error, with tokens redacted, is the `cause`.
 *
 * The `outcome` is `not-sent` if the failure proves that the service never received the request, such as a refused
 * connection: send it again. Otherwise it is `unknown`: check the store first.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#connection}
 */
export class PlantStoreConnectionError extends PlantStoreError<"connection"> {}
identify(PlantStoreConnectionError, "PlantStoreConnectionError", "connection");

/**
 * The call took longer than `timeoutMs`.
 *
 * The `outcome` is `unknown` if the service may have received the request: check the store before you send it again.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#timeout}
 */
export class PlantStoreTimeoutError extends PlantStoreError<"timeout"> {
  /** The deadline of the whole call, in milliseconds. */
  declare readonly timeoutMs: number;
}
identify(PlantStoreTimeoutError, "PlantStoreTimeoutError", "timeout");

/**
 * The caller's signal ended the call; the `cause` is the signal's reason. Its `name` is `AbortError`, which applications
 * commonly test for, and its `outcome` says whether the plant may exist.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#aborted}
 */
export class PlantStoreAbortError extends PlantStoreError<"aborted"> {}
identify(PlantStoreAbortError, "AbortError", "aborted");

/**
 * The plant may have been sent before, by an earlier run of `createPlants` or for an earlier row with its id, and the journal
 * does not say what came of it: check the store.
 *
 * Only in results of `createPlants` with a journal. The `outcome` is `unknown`, and the plant was not sent for this row.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#interrupted}
 */
export class PlantStoreInterruptedError extends PlantStoreError<"interrupted"> {}
identify(PlantStoreInterruptedError, "PlantStoreInterruptedError", "interrupted");

/** @inline */
type ConcreteError =
  | PlantStoreConfigError
  | PlantStoreInputError
  | PlantStoreTokenError
  | PlantStoreApiError
  | PlantStoreResponseError
  | PlantStoreConnectionError
  | PlantStoreTimeoutError
  | PlantStoreAbortError
  | PlantStoreInterruptedError;

/**
 * Every concrete error of this library. A `switch` on `kind` narrows it, and can be exhaustive. `status`, `headers`,
 * `retryAfterMs` and `issues` need no narrowing: they are undefined on an error whose class does not have them.
 */
export type AnyPlantStoreError = ConcreteError &
  Partial<Pick<PlantStoreApiError, "status" | "headers" | "retryAfterMs"> & Pick<PlantStoreInputError, "issues">>;

/**
 * Whether a value is an error of this library, from any copy of the package.
 *
 * @param value - Any value, such as a caught error.
 * @returns Whether it is one; a `switch` on its `kind` then narrows it.
 *
 * @example
 * {@includeCode ../examples/error-handling.ts#advise}
 */
export function isPlantStoreError(value: unknown): value is AnyPlantStoreError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** The class of each kind. */
export const CLASSES: Readonly<Record<ConcreteError["kind"], new (init: never) => AnyPlantStoreError>> = {
  config: PlantStoreConfigError,
  input: PlantStoreInputError,
  token: PlantStoreTokenError,
  api: PlantStoreApiError,
  response: PlantStoreResponseError,
  connection: PlantStoreConnectionError,
  timeout: PlantStoreTimeoutError,
  aborted: PlantStoreAbortError,
  interrupted: PlantStoreInterruptedError,
};

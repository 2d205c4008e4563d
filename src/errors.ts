import type { ErrorBody } from "./contract/error-body.ts";
import type { Issue } from "./contract/schema.ts";

/**
 * Whether the plant may exist now.
 *
 * - `not-sent`: it cannot, the service never had the request.
 * - `rejected`: the service said no.
 * - `unknown`: it may. Only the service, or whoever can look into its store, knows.
 */
export type Outcome = "not-sent" | "rejected" | "unknown";

/** One POST of a call: what came back, and what the client did next. */
export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** When it began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** How long it took, body included, in milliseconds. */
  readonly durationMs: number;
  /** The HTTP status, where one arrived. */
  readonly status?: number;
  /** The runtime's code of a network failure, e.g. `ECONNREFUSED`, where it has one. */
  readonly code?: string;
  /** The wait before the next attempt, in milliseconds; absent on the last one. */
  readonly delayMs?: number;
  /**
   * Why it ended: `ok` (a plant), `status` (no 2xx), `network` (no reply), `body` (a reply whose body broke off, or is
   * no plant), `timeout` (the deadline), `aborted` (the caller's signal).
   */
  readonly reason: "ok" | "status" | "network" | "body" | "timeout" | "aborted";
}

/** What every error of this library is made from. */
export interface PlantStoreErrorInit {
  /** What happened, in a sentence without tokens. */
  readonly message: string;
  /**
   * Whether the plant may exist now.
   *
   * @defaultValue `"not-sent"`
   */
  readonly outcome?: Outcome | undefined;
  /**
   * Every POST of the call, the last one included.
   *
   * @defaultValue `[]`
   */
  readonly attempts?: readonly Attempt[] | undefined;
  /** What caused the error, where something did. */
  readonly cause?: unknown;
}

const BRAND = Symbol.for("plant-store-client.error");

/**
 * The base of every error of this library.
 *
 * `kind` says what happened, `outcome` whether the plant may exist. No token stands in any of its fields.
 * `instanceof` works across the ESM and the CommonJS copy of the package.
 *
 * @example
 * {@includeCode ../examples/error-handling.ts#advise}
 */
export abstract class PlantStoreError<Fields extends object = object> extends Error {
  /** What happened; narrows {@link AnyPlantStoreError} to one class. */
  declare readonly kind: AnyPlantStoreError["kind"];
  /** Whether the plant may exist now. */
  declare readonly outcome: Outcome;
  /** Every POST of the call, the last one included; empty where none was sent. */
  declare readonly attempts: readonly Attempt[];

  /**
   * Makes an error, as a test of an application may want to.
   *
   * @param init - The message, the outcome, the attempts, the cause, and the fields of the class.
   */
  constructor({ message, cause, outcome = "not-sent", attempts = [], ...fields }: PlantStoreErrorInit & Fields) {
    super(message, cause === undefined ? undefined : { cause });
    const { kind } = new.target as unknown as { kind: string };
    Object.assign(this, { kind, outcome, attempts }, fields);
  }

  /** A plain object for logs: name, message, kind, outcome, attempts and the fields of the class; no stack. */
  toJSON(): Record<string, unknown> {
    const { cause } = this;
    const json: Record<string, unknown> = {};
    Object.assign(json, { name: this.name, message: this.message }, this);
    if (json.headers instanceof Headers) json.headers = Object.fromEntries(json.headers);
    if (cause instanceof Error) {
      json.cause = { name: cause.name, message: cause.message, code: (cause as { code?: unknown }).code };
    }
    return json;
  }
}
Object.defineProperty(PlantStoreError.prototype, BRAND, { value: true });
Object.defineProperty(PlantStoreError, Symbol.hasInstance, { value: isInstance });

/** `value instanceof this`, by brand and kind, so that it holds across copies of this module. */
function isInstance(this: { readonly kind?: string }, value: unknown): boolean {
  if (this === PlantStoreError) return isPlantStoreError(value);
  // An own `kind` marks the classes of this file; one that an application derives is told by its prototype.
  if (Object.hasOwn(this, "kind")) return isPlantStoreError(value) && value.kind === this.kind;
  return Function.prototype[Symbol.hasInstance].call(this, value);
}

/**
 * An option of the client is missing or wrong; nothing was sent.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#config}
 */
export class PlantStoreConfigError extends PlantStoreError<{ readonly option: string }> {
  /** The `kind` of every instance. */
  static readonly kind = "config";
  /** What happened, for a `switch` that narrows. */
  declare readonly kind: "config";
  /** The option, e.g. `timeoutMs` or `headers.authorization`. */
  declare readonly option: string;
}

/**
 * The plant breaks a rule of the contract; nothing was sent.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#input}
 */
export class PlantStoreInputError extends PlantStoreError<{ readonly issues: readonly Issue[] }> {
  /** The `kind` of every instance. */
  static readonly kind = "input";
  /** What happened, for a `switch` that narrows. */
  declare readonly kind: "input";
  /** Each field that is wrong, with the rule. */
  declare readonly issues: readonly Issue[];
}

/**
 * The token provider failed, or gave something that is no token. Its own error, without tokens, is the `cause`.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#token}
 */
export class PlantStoreTokenError extends PlantStoreError {
  /** The `kind` of every instance. */
  static readonly kind = "token";
  /** What happened, for a `switch` that narrows. */
  declare readonly kind: "token";
}

/** What an error tells of the reply that it stands for. */
export interface ReplyFields {
  /** The HTTP status. */
  readonly status: number;
  /** The headers of the reply. */
  readonly headers: Headers;
  /** How long the server asked to wait (Retry-After), in milliseconds, where it did. */
  readonly retryAfterMs?: number;
}

/**
 * The service returned its Error body, whose text is `body.message`. The `message` of the error also names the request,
 * the status and whether the plant may exist: `POST <url> returned 500: boom; the plant may exist`.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#api}
 */
export class PlantStoreApiError extends PlantStoreError<
  ReplyFields & { readonly code: number; readonly body: ErrorBody }
> {
  /** The `kind` of every instance. */
  static readonly kind = "api";
  /** What happened, for a `switch` that narrows. */
  declare readonly kind: "api";
  /** The HTTP status; the contract declares 400. */
  declare readonly status: number;
  /** The Error body's `error`, an int32 whose meaning the contract does not say. */
  declare readonly code: number;
  /** The Error body, unknown fields included. */
  declare readonly body: ErrorBody;
  /** The headers of the reply. */
  declare readonly headers: Headers;
  /** How long the server asked to wait (Retry-After), in milliseconds, where it did. */
  declare readonly retryAfterMs?: number;
}

/**
 * Why a reply is none that the contract declares: `status` (no 2xx, and no Error body), `redirect` (3xx, never
 * followed), and of a 2xx: `media-type` (not JSON, or 204), `json` (malformed, empty, or not UTF-8), `shape` (not a
 * Plant), `too-large` (more than `maxResponseBytes`).
 */
export type ResponseProblem = "status" | "redirect" | "media-type" | "json" | "shape" | "too-large";

/**
 * A reply came that is none of those which the contract declares.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#response}
 */
export class PlantStoreResponseError extends PlantStoreError<
  ReplyFields & { readonly bodyText: string; readonly reason: ResponseProblem }
> {
  /** The `kind` of every instance. */
  static readonly kind = "response";
  /** What happened, for a `switch` that narrows. */
  declare readonly kind: "response";
  /** The HTTP status; 0 for a redirect in a browser, which hides it. */
  declare readonly status: number;
  /** The headers of the reply. */
  declare readonly headers: Headers;
  /** The beginning of the body, at most 4096 UTF-16 code units. */
  declare readonly bodyText: string;
  /** What is wrong with the reply. */
  declare readonly reason: ResponseProblem;
  /** How long the server asked to wait (Retry-After), in milliseconds, where it did. */
  declare readonly retryAfterMs?: number;
}

/**
 * No reply, or one that broke off. The runtime's error, without tokens, is the `cause`.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#connection}
 */
export class PlantStoreConnectionError extends PlantStoreError {
  /** The `kind` of every instance. */
  static readonly kind = "connection";
  /** What happened, for a `switch` that narrows. */
  declare readonly kind: "connection";
}

/**
 * The call did not settle within `timeoutMs`.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#timeout}
 */
export class PlantStoreTimeoutError extends PlantStoreError<{ readonly timeoutMs: number }> {
  /** The `kind` of every instance. */
  static readonly kind = "timeout";
  /** What happened, for a `switch` that narrows. */
  declare readonly kind: "timeout";
  /** The deadline of the whole call, in milliseconds. */
  declare readonly timeoutMs: number;
}

/**
 * The caller's signal ended the call; the `cause` is the signal's reason.
 *
 * Only `tryCreatePlant` gives it: `createPlant` rejects with the reason itself.
 *
 * @example
 * {@includeCode ../docs/code/reference-errors.ts#aborted}
 */
export class PlantStoreAbortError extends PlantStoreError {
  /** The `kind` of every instance. */
  static readonly kind = "aborted";
  /** What happened, for a `switch` that narrows. */
  declare readonly kind: "aborted";
}

/** Every concrete error of this library; a `switch` on `kind` narrows it, and can be exhaustive. */
export type AnyPlantStoreError =
  | PlantStoreConfigError
  | PlantStoreInputError
  | PlantStoreTokenError
  | PlantStoreApiError
  | PlantStoreResponseError
  | PlantStoreConnectionError
  | PlantStoreTimeoutError
  | PlantStoreAbortError;

/**
 * Whether a value is an error of this library, of whichever copy of it.
 *
 * @param value - Anything, such as what a `catch` got.
 * @returns Whether it is one; a `switch` on its `kind` then narrows it.
 *
 * @example
 * {@includeCode ../examples/error-handling.ts#advise}
 */
export function isPlantStoreError(value: unknown): value is AnyPlantStoreError {
  return typeof value === "object" && value !== null && BRAND in value;
}

// The names are written out, because a bundler may shorten those of the classes.
const NAMES = {
  PlantStoreConfigError,
  PlantStoreInputError,
  PlantStoreTokenError,
  PlantStoreApiError,
  PlantStoreResponseError,
  PlantStoreConnectionError,
  PlantStoreTimeoutError,
  PlantStoreAbortError,
};
for (const [name, { prototype }] of Object.entries(NAMES)) {
  Object.defineProperty(prototype, "name", { value: name, configurable: true, writable: true });
}

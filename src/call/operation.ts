import type { Validation } from "../checks/schema.ts";
import type { ApiFetch, ApiReply } from "./api.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { Clock } from "./clock.ts";
import type { Stopped } from "./deadline.ts";
import type { ErrorReply, UnexpectedReply } from "./decode.ts";
import type { Settings } from "./settings.ts";
import type { TokenFailure } from "./tokens.ts";
import type { Verdict } from "./verdict.ts";

/** Describes one operation of the service. */
export interface Operation<Api, Input, ValidInput, Output> {
  readonly method: string;
  readonly path: string;
  /** Its own headers, by lower-case name: the media types of the response and of the request body, if it has one. */
  readonly headers: { readonly accept: string; readonly "content-type"?: string };
  /** The name of the input in messages. */
  readonly inputName: string;
  /** The meaning of an unknown outcome, for messages. */
  readonly unknownOutcome: string;
  /** Whether a second request is harmless, so that every network failure may be retried. */
  readonly isIdempotent: boolean;
  /** Validates the input; the resulting value is sent. */
  readonly validateInput: (input: Input) => Validation<ValidInput>;
  /** Checks the body of a 2xx. */
  readonly validateOutput: (body: unknown) => Validation<Output>;
  /** Sends a request through openapi-fetch, which ties path, method and body to the contract. */
  send(api: Api, input: ValidInput, fetch: ApiFetch): Promise<ApiReply>;
}

/** One call, and everything that its steps need. */
export interface Call<Output> {
  // biome-ignore lint/suspicious/noExplicitAny: whichever operation it is, its input has been validated.
  readonly operation: Operation<any, any, any, Output>;
  /** The HTTP layer that the operation sends through. */
  readonly api: unknown;
  /** The validated input of the operation, which each attempt sends anew. */
  readonly input: unknown;
  readonly settings: Settings;
  readonly log: AttemptLog;
  readonly clock: Clock;
  /** Whether a second request is harmless, by the operation or by the caller's word. */
  readonly isIdempotent: boolean;
}

/** No response, or an incomplete one. */
interface ConnectionFailure {
  readonly kind: "connection";
  readonly cause: unknown;
}

/** A failed attempt, and what it means. */
export type AttemptFailure = (ErrorReply | UnexpectedReply | ConnectionFailure) & { readonly verdict: Verdict };

/** How a call failed; `kind` is that of its error. */
export type CallFailure = AttemptFailure | TokenFailure | Stopped;

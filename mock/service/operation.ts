import { describe } from "../../src/checks/describe.ts";
import { type Answer, CONFIGURED, type Source } from "./answer.ts";
import type { Credentials } from "./bearer-tokens.ts";
import type { BodyJson, RequestData } from "./request.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import type { RequestRecord } from "./sessions/request-record.ts";
import type { SessionState } from "./sessions/session-state.ts";

/** The beginning of a request: who sends it, and to which session. */
export interface Arrival {
  readonly credentials: Credentials;
  /** The state of the session when the request began: a reset ends it. */
  readonly session: SessionState;
}

/** A request, with its beginning. */
export interface ServiceRequest extends RequestData {
  readonly arrival: Arrival;
}

/** One request, with everything that an operation needs to handle it. */
export interface RequestContext {
  readonly record: RequestRecord;
  readonly session: SessionState;
  readonly options: ResolvedOptions;
  /** The origin of the response if the request succeeds, as known so far. */
  success: Source;
}

/** An operation of the service. */
export interface Operation {
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  /** The names of its query parameters; others are rejected. */
  readonly query: readonly string[];
  /** Handles an authorized request. */
  readonly answer: (context: RequestContext) => Answer;
}

/** The JSON of a body, or the rejection of the body. */
export type JsonOrRefusal =
  | { readonly json: BodyJson; readonly refusal?: undefined }
  | { readonly json?: undefined; readonly refusal: Answer };

/** Reads the JSON body of an operation whose body has this media type. */
export function readJsonBody(context: RequestContext, mediaType: string): JsonOrRefusal {
  const refusal = checkMediaType(context, mediaType) ?? checkSize(context) ?? checkText(context);
  if (refusal !== undefined) return { refusal };
  const { body } = context.record;
  if (body.json !== undefined) return { json: body.json };
  return { refusal: context.options.refuse("json", `body: must be JSON, not ${describe(body.text)}`) };
}

function checkMediaType(context: RequestContext, mediaType: string): Answer | undefined {
  const value = context.record.headers.get("content-type") ?? "";
  if (value === mediaType || isOfType(value, mediaType)) return undefined;
  if (context.options.acceptsAnyMediaType) {
    context.success = CONFIGURED;
    return undefined;
  }
  const received = value === "" ? "no Content-Type" : value;
  return context.options.refuse("mediaType", `Content-Type: must be ${mediaType}; received ${received}`);
}

function isOfType(value: string, mediaType: string): boolean {
  const { length } = mediaType;
  return value.slice(0, length).toLowerCase() === mediaType && PARAMETERS.test(value.slice(length));
}

/** The parameters of one media type: a comma separates several Content-Type headers. */
const PARAMETERS = /^[ \t]*(;[^,]*)?$/;

function checkSize({ record: { body }, options: { maxBodyBytes, refuse } }: RequestContext): Answer | undefined {
  return body.isLongerThan(maxBodyBytes)
    ? refuse("tooLarge", `body: must be at most ${maxBodyBytes} bytes`)
    : undefined;
}

function checkText({ record: { body, headers }, options }: RequestContext): Answer | undefined {
  const { text } = body;
  if (text === undefined) {
    const coding = headers.get("content-encoding");
    const fix = coding ? `; send it without Content-Encoding: ${coding}` : "";
    return options.refuse("encoding", `body: must be valid UTF-8${fix}`);
  }
  if (text.startsWith("\ufeff")) {
    return options.refuse("encoding", "body: must not begin with a byte order mark; remove it");
  }
  return text === "" ? options.refuse("json", "body: is required; send a NewPlant as JSON") : undefined;
}

import { describe } from "../../src/checks/describe.ts";
import type { Credentials } from "./authentication.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { CONFIGURED, type ServiceReply, type Source } from "./service-reply.ts";
import type { RequestRecord } from "./sessions/request-record.ts";
import type { SessionState } from "./sessions/session-state.ts";

/** One request, with everything that is needed to handle it. */
export interface RequestContext {
  readonly record: RequestRecord;
  readonly session: SessionState;
  readonly options: ResolvedOptions;
  readonly destination: Destination;
  readonly credentials: Credentials;
  /** The origin of the response if the request succeeds, as known so far. */
  success: Source;
  /** When the request arrived, by the monotonic clock; absent if nothing can make it wait. */
  startedAt: number | undefined;
}

/** An operation of the service. */
export interface Operation {
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  /** The names of its query parameters; others are rejected. */
  readonly query: readonly string[];
  /** Handles an authorized request. */
  readonly handle: (context: RequestContext) => ServiceReply;
}

/** What handles a request: an operation, or a rejection if none matches. */
export interface Destination extends Pick<Operation, "handle"> {
  /** How to fix the request; present if no operation matches. */
  readonly fix?: string;
}

/** Rejects a body that is not JSON of this media type. */
export function checkJsonBody(context: RequestContext, mediaType: string): ServiceReply | undefined {
  return checkMediaType(context, mediaType) ?? checkSize(context) ?? checkText(context) ?? checkJson(context);
}

function checkMediaType(context: RequestContext, mediaType: string): ServiceReply | undefined {
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

function checkSize({ record: { body }, options: { maxBodyBytes, refuse } }: RequestContext): ServiceReply | undefined {
  return body.isLongerThan(maxBodyBytes)
    ? refuse("tooLarge", `body: must be at most ${maxBodyBytes} bytes`)
    : undefined;
}

function checkText({ record: { body, headers }, options }: RequestContext): ServiceReply | undefined {
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

function checkJson({ record: { body }, options }: RequestContext): ServiceReply | undefined {
  return body.json === undefined ? options.refuse("json", `body: must be JSON, not ${describe(body.text)}`) : undefined;
}

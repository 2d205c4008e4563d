import { type Issue, isRecord, type Validation } from "../checks/schema.ts";
import { validateErrorBody } from "../contract/error-body.ts";
import type { ResponseProblem } from "../errors.ts";
import { isSuccess } from "./api.ts";
import { headersOf, type Reply, rawHeadersOf } from "./reply.ts";
import type { ErrorReply, Success, UnexpectedReply } from "./result.ts";

/** A decoded response: the requested value, the service's error, or neither. */
export type Decoded<Output> = Success<Output> | Omit<ErrorReply, "verdict"> | Omit<UnexpectedReply, "verdict">;

/**
 * Decodes a response to a value, the contract's error, or a problem. Only a 2xx can be a success.
 *
 * @param body - The body parsed by openapi-fetch, `undefined` if it is not JSON.
 */
export function decodeReply<Output>(
  reply: Reply,
  body: unknown,
  validateOutput: (body: unknown) => Validation<Output>,
): Decoded<Output> {
  const { status } = reply;
  if (isSuccess(status)) return decodeSuccess(reply, body, validateOutput);
  // In a browser, a redirect has status 0 and no headers.
  if (status === 0) return unexpected(reply, "redirect", "a redirect, which is not followed");
  if (status >= 300 && status < 400) {
    const location = headersOf(reply).get("location");
    const redirect = location ? `a redirect to ${location}` : "a redirect";
    return unexpected(reply, "redirect", `${status}, ${redirect}, which is not followed: correct baseUrl`);
  }
  const error = validateErrorBody(body);
  if (!error.issues && !reply.body.isTruncated) return { type: "error-reply", body: error.value, reply };
  return unexpected(reply, "status", `${status}${describeBody(reply, body)}${status === 404 ? ": check baseUrl" : ""}`);
}

/** Describes a body that is not the contract's Error: the title of problem details (RFC 9457), or its type. */
function describeBody(reply: Reply, body: unknown): string {
  const type = headersOf(reply).get("content-type");
  const title = isRecord(body) && /^application\/problem\+json\b/i.test(`${type}`) && body.title;
  if (title && typeof title === "string") return `: ${title}`;
  return reply.body.text === "" ? " with an empty body" : ` with an unexpected body (${type || "no media type"})`;
}

function decodeSuccess<Output>(
  reply: Reply,
  body: unknown,
  validateOutput: (body: unknown) => Validation<Output>,
): Decoded<Output> {
  const { status } = reply;
  const { text, isTruncated, isMalformed } = reply.body;
  const fail = (problem: ResponseProblem, detail: string) => unexpected(reply, problem, `${status} with ${detail}`);
  if (isTruncated) return fail("too-large", "a body of more than maxResponseBytes");
  // In the common case, no Headers has to be created.
  const type = rawHeadersOf(reply)?.["content-type"] === JSON_TYPE ? JSON_TYPE : headersOf(reply).get("content-type");
  if (status === 204 || status === 205) return fail("media-type", "no content instead of application/json");
  if (type !== null && !isJson(type) && !type.split(", ").every(isJson))
    return fail("media-type", `${type || "no media type"} instead of application/json`);
  if (isMalformed) return fail("json", "a body that is not UTF-8");
  if (text === "") return fail("json", "an empty body instead of JSON");
  if (body === undefined) return fail("json", "a body that is not JSON");
  const result = validateOutput(body);
  if (!result.issues) return { type: "success", value: result.value, reply };
  return fail("shape", `an invalid body: ${describeIssues(result.issues)}`);
}

const JSON_TYPE = "application/json";

function unexpected(reply: Reply, problem: ResponseProblem, detail: string): Omit<UnexpectedReply, "verdict"> {
  return { type: "unexpected-reply", problem, detail, reply };
}

/** Formats issues in one line: `id is required; tag must be a string, not 7`. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path.join(".") || "it"} ${message}`).join("; ");
}

/**
 * Whether a media type is JSON (https://mimesniff.spec.whatwg.org): `application/json`, `text/json`, or a `+json` type
 * such as `application/problem+json`.
 */
function isJson(mediaType: string): boolean {
  if (mediaType === JSON_TYPE) return true;
  return /^(?:(?:application|text)\/json|[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json)\s*(?:;|$)/i.test(mediaType);
}

import { validateErrorBody } from "../contract/error-body.ts";
import type { Issue, Result } from "../contract/schema.ts";
import type { ResponseProblem } from "../errors.ts";
import { isSuccess } from "./api.ts";
import type { ErrorReply, Reply, Success, UnexpectedReply } from "./result.ts";

/** What a reply says: the value that was asked for, the service's error, or neither. */
export type Decoded<Output> = Success<Output> | Omit<ErrorReply, "verdict"> | Omit<UnexpectedReply, "verdict">;

/**
 * Makes a value, the contract's error, or a problem of a reply. Only a 2xx can be a success.
 *
 * @param body - The body as openapi-fetch parsed it, `undefined` if it could not.
 */
export function decodeReply<Output>(
  reply: Reply,
  body: unknown,
  validateOutput: (body: unknown) => Result<Output>,
): Decoded<Output> {
  const { status, headers } = reply;
  if (isSuccess(status)) return decodeSuccess(reply, body, validateOutput);
  if (status === 0) return unexpected(reply, "redirect", "a redirect, which is not followed");
  if (status >= 300 && status < 400) {
    const location = headers.get("location");
    return unexpected(reply, "redirect", `a redirect${location ? ` to ${location}` : ""}, which is not followed`);
  }
  const error = reply.body.isTruncated ? undefined : validateErrorBody(body);
  if (error && !error.issues) return { type: "error-reply", body: error.value, reply };
  return unexpected(reply, "status", "a body that is not the Error of the contract");
}

function decodeSuccess<Output>(
  reply: Reply,
  body: unknown,
  validateOutput: (body: unknown) => Result<Output>,
): Decoded<Output> {
  const { status, headers } = reply;
  const { text, isTruncated, isMalformed } = reply.body;
  if (isTruncated) return unexpected(reply, "too-large", "a body of more than maxResponseBytes");
  const type = headers.get("content-type");
  if (status === 204 || status === 205)
    return unexpected(reply, "media-type", "no content, where application/json is declared");
  if (type !== null && !isJson(type) && !type.split(", ").every(isJson))
    return unexpected(reply, "media-type", `${type}, where application/json is declared`);
  if (isMalformed) return unexpected(reply, "json", "a body that is not UTF-8");
  if (text === "") return unexpected(reply, "json", "an empty body");
  if (body === undefined) return unexpected(reply, "json", "a body that is not JSON");
  const result = validateOutput(body);
  if (!result.issues) return { type: "success", value: result.value, reply };
  return unexpected(reply, "shape", `an invalid body: ${describeIssues(result.issues)}`);
}

function unexpected(reply: Reply, problem: ResponseProblem, detail: string): Omit<UnexpectedReply, "verdict"> {
  return { type: "unexpected-reply", problem, detail, reply };
}

/** Issues in one line: `id is required, tag must be a string`. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path.join(".") || "it"} ${message}`).join(", ");
}

/** A JSON media type by https://mimesniff.spec.whatwg.org: `application/json`, `text/json`, or a type that is built on it, such as `application/problem+json`. */
function isJson(mediaType: string): boolean {
  if (mediaType === "application/json") return true;
  return /^(?:(?:application|text)\/json|[\w.!#$&^-]+\/[\w.!#$&^-]+\+json)\s*(?:;|$)/i.test(mediaType);
}

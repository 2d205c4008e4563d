import { isDeep, isRecord, MAX_LEVELS } from "../checks/objects.ts";
import { describeIssues, type Validation } from "../checks/schema.ts";
import { type ErrorBody, validateErrorBody } from "../contract/error-body.ts";
import type { ResponseProblem } from "../errors.ts";
import { isSuccess } from "./openapi-fetch.ts";
import type { Reply } from "./response-body.ts";

/** How an attempt ended. */
export type Result<Output> =
  | { readonly kind: "success"; readonly value: Output; readonly response: Response }
  /** A response with the contract's Error. */
  | { readonly kind: "api"; readonly body: ErrorBody; readonly reply: Reply }
  /** A response that the contract does not declare: its status and the problem, in words, and why its body was cut off. */
  | {
      readonly kind: "response";
      readonly reason: ResponseProblem;
      readonly detail: string;
      readonly reply: Reply;
      readonly cause?: unknown;
    }
  /** No response, or an incomplete one. */
  | { readonly kind: "connection"; readonly cause: unknown };

/**
 * Decodes a response to a value, the contract's error, or a problem. Only a 2xx can be a success.
 *
 * @param body - The body parsed by openapi-fetch, `undefined` if it is not JSON.
 */
export function decodeReply<Output>(
  reply: Reply,
  body: unknown,
  validateOutput: (body: unknown) => Validation<Output>,
): Result<Output> {
  const { status } = reply.response;
  if (isSuccess(status)) return decodeSuccess(reply, body, validateOutput);
  // In a browser, a redirect has status 0 and no headers.
  if (status === 0) return unexpected(reply, "redirect", "a redirect, which is not followed");
  const location = REDIRECTS.has(status) && headerOf(reply, "location");
  if (location) {
    const detail = `${status}, a redirect to ${location}, which is not followed: correct baseUrl`;
    return unexpected(reply, "redirect", detail);
  }
  const error = validateErrorBody(body);
  if (!error.issues && !reply.isTruncated) return { kind: "api", body: error.value, reply };
  const advice = status === 404 ? ": check baseUrl" : "";
  return unexpected(reply, "status", `${status}${describeBody(reply, body)}${advice}`);
}

/** Statuses that, with a Location, are a redirect. */
const REDIRECTS = /* @__PURE__ */ new Set([301, 302, 303, 307, 308]);

/** Describes a body that is not the contract's Error: by its words, as in problem details (RFC 9457), or by its type. */
function describeBody(reply: Reply, body: unknown): string {
  const { title, detail, message } = isRecord(body) ? body : {};
  const words = [title, detail ?? message].filter((text) => text && typeof text === "string");
  if (words.length > 0) return `: ${words.join(": ")}`;
  const type = headerOf(reply, "content-type");
  return reply.text === "" ? " with an empty body" : ` with an unexpected body (${type || "no media type"})`;
}

function decodeSuccess<Output>(
  reply: Reply,
  body: unknown,
  validateOutput: (body: unknown) => Validation<Output>,
): Result<Output> {
  const { response, text, isTruncated, isMalformed } = reply;
  const { status } = response;
  const fail = (reason: ResponseProblem, detail: string) => unexpected(reply, reason, `${status} with ${detail}`);
  if (isTruncated) return fail("too-large", "a body of more than maxResponseBytes");
  const type = headerOf(reply, "content-type");
  if (status === 204 || status === 205) return fail("media-type", "no content instead of application/json");
  if (type !== null && !isJson(type))
    return fail("media-type", `${type || "no media type"} instead of application/json`);
  if (isMalformed) return fail("json", "a body that is not UTF-8");
  if (text === "") return fail("json", "an empty body instead of JSON");
  if (body === undefined) return fail("json", "a body that is not JSON, or was cut off");
  // Each level takes two characters.
  if (text.length > 2 * MAX_LEVELS && isDeep(body, MAX_LEVELS))
    return fail("shape", `a body of more than ${MAX_LEVELS} levels`);
  const result = validateOutput(body);
  if (!result.issues) return { kind: "success", value: result.value, response };
  return fail("shape", `an invalid body: ${describeIssues(result.issues)}`);
}

function unexpected(reply: Reply, reason: ResponseProblem, detail: string) {
  return { kind: "response", reason, detail, reply } as const;
}

/** A header of a response. In an application's tests, the headers may be a plain object or absent. */
export function headerOf(reply: Reply, name: string): string | null {
  const { headers } = reply.response;
  return typeof headers?.get === "function" ? headers.get(name) : headersOf(reply.response).get(name);
}

/** The headers of a response. Those of `createUndiciFetch` are converted only here. */
export function headersOf({ headers }: Pick<Response, "headers">): Headers {
  return headers instanceof Headers ? headers : new Headers(headers);
}

/**
 * Whether a Content-Type is JSON (https://mimesniff.spec.whatwg.org): `application/json`, `text/json`, or a `+json` type
 * such as `application/problem+json`. If it was sent twice, `Headers` joins the values, and all of them must be.
 */
function isJson(type: string): boolean {
  return JSON_TYPE.test(type) || type.split(", ").every((mediaType) => JSON_TYPE.test(mediaType));
}

const JSON_TYPE = /^(?:(?:application|text)\/json|[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json)\s*(?:;|$)/i;

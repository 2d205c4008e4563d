import { type ErrorBody, type Plant, validateErrorBody, validatePlant } from "../contract/plant.ts";
import type { Issue } from "../contract/schema.ts";
import type { ResponseProblem } from "../errors.ts";
import type { Reply } from "./exchange.ts";

/** What a reply says: a plant, the contract's error, or neither. */
export type Decoded = { readonly plant: Plant } | Refusal;

/** What a reply says that is no plant. */
export type Refusal = { readonly body: ErrorBody } | { readonly problem: ResponseProblem; readonly detail: string };

/** Whether a status is a 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Makes of a reply a plant, the contract's error, or what is wrong with it. Only a 2xx can be a plant. */
export function decodeReply(reply: Reply): Decoded {
  const { status } = reply;
  if (isSuccess(status)) return decodePlant(reply);
  if (status === 0) return { problem: "redirect", detail: "a redirect, which is not followed" };
  if (status >= 300 && status < 400) {
    const location = reply.headers.get("location");
    return { problem: "redirect", detail: `a redirect${location ? ` to ${location}` : ""}, which is not followed` };
  }
  return decodeError(reply);
}

function decodePlant({ status, headers, body }: Reply): Decoded {
  const { text, cut, malformed } = body;
  if (cut) return { problem: "too-large", detail: "a body of more than maxResponseBytes" };
  const type = headers.get("content-type");
  if (status === 204 || status === 205)
    return { problem: "media-type", detail: "no content, where a plant is declared" };
  if (type !== null && !isJson(type))
    return { problem: "media-type", detail: `${type}, where application/json is declared` };
  if (malformed) return { problem: "json", detail: "a body that is not UTF-8" };
  if (text === "") return { problem: "json", detail: "an empty body" };
  const value = parse(text);
  if (value === undefined) return { problem: "json", detail: "a body that is not JSON" };
  const result = validatePlant(value);
  if (!result.issues) return { plant: result.value };
  return { problem: "shape", detail: `no plant: ${describeIssues(result.issues)}` };
}

/** Issues in one line: `id is required, tag must be a string`. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path.join(".") || "it"} ${message}`).join(", ");
}

function decodeError({ body: { text, cut } }: Reply): Decoded {
  const result = cut ? undefined : validateErrorBody(parse(text));
  return result && !result.issues
    ? { body: result.value }
    : { problem: "status", detail: "a body that is not the Error of the contract" };
}

/** A JSON media type by https://mimesniff.spec.whatwg.org: `application/json`, `text/json`, or a type that is built on it, such as `application/problem+json`. */
function isJson(mediaType: string): boolean {
  if (mediaType === "application/json") return true;
  return /^(?:(?:application|text)\/json|[\w.!#$&^-]+\/[\w.!#$&^-]+\+json)\s*(?:;|$)/i.test(mediaType);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

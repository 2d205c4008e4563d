import { describe } from "../../src/checks/describe.ts";
import { decodeNewPlant } from "../../src/contract/json.ts";
import { type Answer, CONFIGURED } from "./reply.ts";
import type { RequestContext } from "./request-context.ts";

/** The value of a JSON body, with an exact top-level `id`; or the rejection of the body. */
export type JsonBody = { readonly value: unknown; readonly refusal?: undefined } | { readonly refusal: Answer };

/** Reads the JSON body of an operation whose body has this media type. */
export function readJsonBody(context: RequestContext, mediaType: string): JsonBody {
  const refusal = checkMediaType(context, mediaType) ?? checkSize(context) ?? checkText(context);
  if (refusal !== undefined) return { refusal };
  const text = context.entry.text as string;
  try {
    return { value: decodeNewPlant(text) };
  } catch {
    return { refusal: context.options.refuse("json", `body: must be JSON, not ${describe(text)}`) };
  }
}

function checkMediaType(context: RequestContext, mediaType: string): Answer | undefined {
  const value = context.entry.headers.get("content-type") ?? "";
  if (value === mediaType || isOfType(value, mediaType)) return undefined;
  if (context.options.mediaType === "any") {
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

function checkSize({ body, options: { maxBodyBytes, refuse } }: RequestContext): Answer | undefined {
  if (byteLength(body, maxBodyBytes) <= maxBodyBytes) return undefined;
  return refuse("tooLarge", `body: must be at most ${maxBodyBytes} bytes`);
}

/** The length in bytes. For text that cannot exceed the limit, a lower bound: UTF-8 takes at most 3 bytes per unit. */
function byteLength(body: string | Uint8Array, limit: number): number {
  if (typeof body !== "string") return body.byteLength;
  return body.length * 3 <= limit ? body.length : new TextEncoder().encode(body).byteLength;
}

function checkText({ entry: { text, headers }, options }: RequestContext): Answer | undefined {
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

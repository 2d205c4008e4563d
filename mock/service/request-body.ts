import { decodeNewPlant } from "../../src/contract/json.ts";
import type { Answer } from "./reply.ts";
import { type RequestContext, STATED } from "./request-context.ts";

/** The value that a JSON body holds, its top-level `id` exact; or the refusal of the body. */
export type JsonBody = { readonly value: unknown; readonly refusal?: undefined } | { readonly refusal: Answer };

/** Reads the body of a request: each check refuses it, or lets the next one look. */
export function readJsonBody(context: RequestContext): JsonBody {
  const refusal = checkMediaType(context) ?? checkSize(context) ?? checkText(context);
  if (refusal !== undefined) return { refusal };
  try {
    return { value: decodeNewPlant(context.entry.text as string) };
  } catch {
    return { refusal: context.options.refuse("json", "body: must be JSON; its syntax is wrong") };
  }
}

function checkMediaType(context: RequestContext): Answer | undefined {
  const value = context.entry.headers.get("content-type") ?? "";
  if (value === "application/json" || /^application\/json[ \t]*(;[^,]*)?$/i.test(value)) return undefined;
  if (context.options.mediaType === "any") {
    context.success = STATED;
    return undefined;
  }
  const found = value === "" ? "it is missing" : `it is ${value}`;
  return context.options.refuse("mediaType", `Content-Type: must be application/json; ${found}`);
}

function checkSize({ body, options: { maxBodyBytes, refuse } }: RequestContext): Answer | undefined {
  if (byteLength(body, maxBodyBytes) <= maxBodyBytes) return undefined;
  return refuse("tooLarge", `body: must be at most ${maxBodyBytes} bytes`);
}

/** The length in bytes; of a text that fits anyway, a bound is enough. */
function byteLength(body: string | Uint8Array, limit: number): number {
  if (typeof body !== "string") return body.byteLength;
  return body.length * 3 <= limit ? body.length : new TextEncoder().encode(body).byteLength;
}

function checkText({ entry: { text }, options }: RequestContext): Answer | undefined {
  if (text === undefined) return options.refuse("encoding", "body: must be UTF-8; its bytes are ill-formed");
  if (text.startsWith("\ufeff")) {
    return options.refuse("encoding", "body: must not begin with a byte order mark; send the JSON text alone");
  }
  return text === "" ? options.refuse("json", "body: is required; send a NewPlant as JSON") : undefined;
}

import { kindOf } from "../../src/checks/describe.ts";
import { headerName, headerValue } from "../../src/checks/http/header-rules.ts";
import { isDeep, isRecord } from "../../src/checks/objects.ts";
import { integer, type Rules } from "../../src/checks/rules.ts";
import { checkFields, throwIfProblem } from "./check-options.ts";

/** A response as plain data, in the options of a test and in recorded requests. */
export interface Reply {
  /** The HTTP status, from 200 to 599. */
  status: number;
  /** The headers. A body that is not a string gets `Content-Type: application/json`, unless a type is set here. */
  headers?: Record<string, string> | undefined;
  /** The body: a string is sent as it is, any other value as JSON; `undefined` means no body. */
  body?: unknown;
}

/** An encoded response. Names and values of headers alternate, as `writeHead` of node:http takes them. */
export interface WireReply {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/**
 * The maximum depth of a JSON value that the mock sends or shows: `JSON.stringify` is recursive, so a deeper value
 * could overflow the stack.
 */
const MAX_NESTING = 500;

/** Whether a JSON value has more than {@link MAX_NESTING} levels. */
export const isTooDeep = (value: unknown): boolean => isDeep(value, MAX_NESTING);

/** Headers of every response that the contract declares. */
export const JSON_HEADERS: readonly string[] = ["Content-Type", "application/json"];

/** Encodes a response that a test specifies. */
export function encodeReply({ status, headers = {}, body }: Reply): WireReply {
  const flat = Object.entries(headers).flat();
  if (body === undefined) return { status, headers: flat, body: "" };
  if (typeof body === "string") return { status, headers: flat, body };
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return { status, headers: isTyped ? flat : [...JSON_HEADERS, ...flat], body: JSON.stringify(body) };
}

/** The headers of a {@link WireReply} in pairs. */
export function headerPairs(flat: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i < flat.length; i += 2) pairs.push([flat[i] as string, flat[i + 1] as string]);
  return pairs;
}

/** The rule of each field of a {@link Reply}. */
export const replyRules: Rules<Reply> = {
  status: integer(200, 599),
  headers: (value) => {
    if (value === undefined) return undefined;
    // A Headers or a Map has no own properties: it would count as empty.
    if (!isRecord(value) || Symbol.iterator in value) {
      return `must be a plain object, such as Object.fromEntries(map); received ${kindOf(value)}`;
    }
    for (const [name, text] of Object.entries(value)) {
      const problem = headerProblem(name, text);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
  body: (value) => {
    const rule = `must be a string, or a value that JSON.stringify accepts, at most ${MAX_NESTING} levels deep`;
    try {
      return value === undefined || !isTooDeep(JSON.parse(JSON.stringify(value))) ? undefined : rule;
    } catch (error) {
      // JSON.stringify overflowed the stack: how deep it gets depends on the system.
      if (error instanceof RangeError) return rule;
      // A cycle or a bigint; or a function, for which JSON.stringify returns undefined.
      return `${rule}; write JSON with an integer beyond 2^53 as a string, with a Content-Type`;
    }
  },
};

/** The rule for the status and the body together. */
export function noBodyRule({ status, body }: Pick<Reply, "status" | "body">): string | undefined {
  const isWrong = body !== undefined && NO_BODY.has(status);
  return isWrong ? `a response with status ${status} has no body; leave it out` : undefined;
}

/** Statuses that never have a body. Source: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
export const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function headerProblem(name: string, value: unknown): string | undefined {
  const problem = headerName(name) ?? headerValue(value);
  if (problem !== undefined) return `${JSON.stringify(name)} ${problem}`;
  return FRAMING.has(name.toLowerCase()) ? `${name} is set by the mock itself; leave it out` : undefined;
}

/**
 * Headers that say how the body is sent, or control its connection. Node rejects `Trailer` with a Content-Length; with a
 * Content-Encoding, clients would decode a body that is not encoded.
 */
const FRAMING = new Set(["connection", "content-encoding", "content-length", "trailer", "transfer-encoding"]);

/**
 * Checks and copies a response that a test specifies.
 *
 * @throws TypeError that names the field and the rule.
 */
export function checkReply(reply: Reply, name: string): Reply {
  const fields = checkFields(reply, replyRules, { noun: "field", within: name });
  throwIfProblem(name, noBodyRule(fields));
  return fields;
}

import { headerName, headerValue } from "../../src/contract/header-rules.ts";
import type { Rule } from "../../src/contract/rules.ts";
import { isRecord } from "../../src/contract/schema.ts";
import { type AssumptionName, type Cause, refusals } from "./assumptions.ts";
import { checkOptions, checkRule } from "./check-options.ts";

/** A reply in plain data, as a test hands it over. */
export interface Reply {
  /** The HTTP status, from 200 to 599. */
  status: number;
  /** Headers of the reply. A body that is not a string gets `Content-Type: application/json` unless this names a type. */
  headers?: Record<string, string> | undefined;
  /** The body: a string is sent as it is, anything else as JSON; `undefined` means that there is none. */
  body?: unknown;
}

/** A reply ready for the wire. The headers alternate name and value, as `writeHead` of node:http takes them. */
export interface WireReply {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/**
 * Where a reply comes from: `declared`, the contract shows it; `assumed`, it is a choice of this mock, or of its
 * options; `injected`, a fault that the test asked for.
 */
export type Provenance = "declared" | "assumed" | "injected";

/** A reply, and where it comes from. */
export interface Answer extends WireReply {
  readonly how: "reply";
  readonly provenance: Provenance;
  readonly assumption: AssumptionName | undefined;
}

/** Headers of every reply that the contract declares. */
export const JSON_HEADERS: readonly string[] = ["Content-Type", "application/json"];

/** Puts a reply of a test into wire form. */
export function encodeReply({ status, headers = {}, body }: Reply): WireReply {
  const flat = Object.entries(headers).flat();
  if (body === undefined) return { status, headers: flat, body: "" };
  if (typeof body === "string") return { status, headers: flat, body };
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return { status, headers: isTyped ? flat : [...JSON_HEADERS, ...flat], body: JSON.stringify(body) };
}

/** The rules of a reply's fields. */
export const replyRules: { readonly [Name in keyof Reply]-?: Rule } = {
  status: (value) => {
    const isStatus = Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599;
    return isStatus ? undefined : "must be an integer from 200 to 599";
  },
  headers: (value) => {
    if (value === undefined) return undefined;
    // A Headers or a Map has no entries of its own: it would count as empty.
    if (!isRecord(value) || Symbol.iterator in value) return "must be an object, name by value";
    for (const [name, text] of Object.entries(value)) {
      const problem = headerProblem(name, text);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
  body: (value) => {
    try {
      if (value === undefined || typeof JSON.stringify(value) === "string") return undefined;
    } catch {
      // A cycle or a bigint: refused below.
    }
    return "must be a string, or a value that JSON.stringify accepts";
  },
};

/** A rule of the whole reply. */
export function noBodyRule({ status, body }: Pick<Reply, "status" | "body">): string | undefined {
  const isWrong = body !== undefined && NO_BODY.has(status);
  return isWrong ? `a reply with status ${status} has no body; leave it out` : undefined;
}

/** Statuses whose reply never has a body. Source: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
export const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function headerProblem(name: string, value: unknown): string | undefined {
  const problem = headerName(name) ?? headerValue(value);
  if (problem !== undefined) return `${JSON.stringify(name)} ${problem}`;
  return FRAMING.has(name.toLowerCase()) ? `${name} is set by the form that sends the reply; leave it out` : undefined;
}

/** Headers that frame the message or control its connection. Node refuses `Trailer` next to a Content-Length. */
const FRAMING = new Set(["connection", "content-length", "trailer", "transfer-encoding"]);

/**
 * Checks a reply of a test.
 *
 * @throws TypeError that names the field and the rule.
 */
export function checkReply(reply: Reply, name: string): void {
  const fields = checkOptions(reply, replyFields, { noun: "field", within: name });
  for (const field of replyFields) checkRule(replyRules[field], fields[field], `${name}.${field}`);
  checkRule(() => noBodyRule(fields), fields, name);
}

const replyFields = Object.keys(replyRules) as (keyof Reply)[];

/** Refuses a request; `headers` are further ones that the reply of this request needs, name and value in turn. */
export type Refuse = (cause: Cause, message: string, headers?: readonly string[]) => Answer;

/** How the mock answers if it refuses a request. */
export interface RefusalOptions {
  readonly replies: Partial<Record<Cause, Reply | undefined>>;
  readonly errorCodes: Partial<Record<Cause, number | undefined>>;
}

/** Makes the function that turns a cause and a message into the answer. */
export function createRefuse({ replies, errorCodes }: RefusalOptions): Refuse {
  const common = { how: "reply", provenance: "assumed" } as const;
  const stated = new Map<string, WireReply>();
  for (const [cause, reply] of Object.entries(replies)) if (reply !== undefined) stated.set(cause, encodeReply(reply));
  return (cause, message, extra = []) => {
    const reply = stated.get(cause);
    // Stated by the test itself: no longer the mock's own assumption.
    if (reply !== undefined) return { ...common, ...reply, assumption: undefined };
    const { status, code, headers } = refusals[cause];
    const body = JSON.stringify({ error: errorCodes[cause] ?? code, message });
    return { ...common, status, headers: [...JSON_HEADERS, ...headers, ...extra], body, assumption: cause };
  };
}

import type { Rule } from "../../src/contract/rules.ts";
import { isRecord } from "../../src/contract/schema.ts";
import type { AssumptionName, Cause } from "./assumptions.ts";
import { refusals } from "./assumptions.ts";

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
  if (!TOKEN.test(name)) return `${JSON.stringify(name)} is not a header name`;
  if (typeof value !== "string" || !FIELD_VALUE.test(value)) {
    return `${name} must be a string of Latin-1 characters without line breaks`;
  }
  return FRAMING.has(name.toLowerCase()) ? `${name} is set by the form that sends the reply; leave it out` : undefined;
}

/** Names and values by RFC 9110, sections 5.1 and 5.5. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that frame the message or control its connection. Node refuses `Trailer` next to a Content-Length. */
const FRAMING = new Set(["connection", "content-length", "trailer", "transfer-encoding"]);

/**
 * Checks a reply of a test.
 *
 * @throws TypeError that names the field and the rule.
 */
export function checkReply(reply: Reply, name: string): void {
  if (!isRecord(reply)) throw new TypeError(`${name}: must be an object with a status`);
  for (const [field, rule] of Object.entries(replyRules)) {
    const problem = rule(reply[field as keyof Reply]);
    if (problem !== undefined) throw new TypeError(`${name}.${field}: ${problem}`);
  }
  const problem = noBodyRule(reply);
  if (problem !== undefined) throw new TypeError(`${name}: ${problem}`);
}

/** How the mock answers if it refuses a request. */
export interface RefusalOptions {
  readonly replies: Partial<Record<Cause, Reply | undefined>>;
  readonly errorCodes: Partial<Record<Cause, number | undefined>>;
}

/** Gives the function that turns a cause and a message into the answer. */
export function createRefuse({ replies, errorCodes }: RefusalOptions): (cause: Cause, message: string) => Answer {
  const prepared = new Map<Cause, (message: string) => Answer>();
  for (const cause of Object.keys(refusals) as Cause[]) {
    const reply = replies[cause];
    const { status, code, headers } = refusals[cause];
    const common = { how: "reply", provenance: "assumed" } as const;
    if (reply !== undefined) {
      // Stated by the test itself: not the mock's own assumption any more.
      const answer = { ...common, ...encodeReply(reply), assumption: undefined };
      prepared.set(cause, () => answer);
    } else {
      const fixed = { ...common, status, headers: [...JSON_HEADERS, ...headers], assumption: cause };
      const error = errorCodes[cause] ?? code;
      prepared.set(cause, (message) => ({ ...fixed, body: JSON.stringify({ error, message }) }));
    }
  }
  return (cause, message) => (prepared.get(cause) as (message: string) => Answer)(message);
}

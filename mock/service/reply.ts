import type { AssumptionName, Cause } from "./assumptions.ts";
import { refusals } from "./assumptions.ts";

/** A reply in plain data, as a test hands it over. */
export interface Reply {
  /** The HTTP status, from 200 to 599. */
  status: number;
  /** Headers of the reply. A body that is no string gets `Content-Type: application/json` where this names none. */
  headers?: Record<string, string> | undefined;
  /** The body: a string goes out as it is, anything else as JSON; `undefined` means that there is none. */
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

/**
 * Checks a reply of a test.
 *
 * @throws TypeError that names what is wrong with it.
 */
export function checkReply(reply: Reply, name: string): void {
  if (typeof reply !== "object" || reply === null) throw new TypeError(`${name}: must be an object with a status`);
  const { status, headers, body } = reply;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new TypeError(`${name}.status: must be an integer from 200 to 599`);
  }
  if (body !== undefined && NO_BODY.has(status)) throw new TypeError(`${name}.body: a reply with ${status} has none`);
  if (headers !== undefined) checkHeaders(headers, name);
  if (body !== undefined && typeof body !== "string") checkJson(body, name);
}

/** Statuses whose reply never has a body. Source: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
export const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function checkHeaders(headers: Record<string, string>, name: string): void {
  for (const [header, value] of Object.entries(headers)) {
    if (!TOKEN.test(header)) throw new TypeError(`${name}.headers: ${JSON.stringify(header)} is no header name`);
    if (typeof value !== "string" || !FIELD_VALUE.test(value)) {
      throw new TypeError(`${name}.headers.${header}: must be a string of Latin-1 characters without line breaks`);
    }
    if (FRAMING.has(header.toLowerCase())) {
      throw new TypeError(`${name}.headers.${header}: is set by the form that sends the reply; leave it out`);
    }
  }
}

function checkJson(body: unknown, name: string): void {
  try {
    if (typeof JSON.stringify(body) === "string") return;
  } catch {
    // A cycle or a bigint: said below.
  }
  throw new TypeError(`${name}.body: must be a string, or a value that JSON.stringify takes`);
}

/** Names and values by RFC 9110, sections 5.1 and 5.5. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that say how long the message is. */
const FRAMING = new Set(["content-length", "transfer-encoding", "connection"]);

/** How the mock answers where it refuses a request. */
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

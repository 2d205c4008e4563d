import { withoutBrackets } from "../../src/checks/http/base-url.ts";
import type { ServiceRequest } from "../service/request.ts";

/** Errors as Node's own fetch reports them, so that a client classifies them as it would on a real socket. */

/** No server listens. */
export function connectionRefused(baseUrl: string): TypeError {
  const { hostname, port: explicit, protocol } = new URL(baseUrl);
  const address = withoutBrackets(hostname);
  const port = Number(explicit) || (protocol === "https:" ? 443 : 80);
  const message = `connect ECONNREFUSED ${address}:${port}`;
  return failed({ message, code: "ECONNREFUSED", errno: -111, syscall: "connect", address, port });
}

export function connectionReset(): TypeError {
  return failed({ message: "read ECONNRESET", code: "ECONNRESET", errno: -104, syscall: "read" });
}

/** The connection is closed before the response or, with another text, during its body. */
export function otherSideClosed(text?: "terminated"): TypeError {
  return failed({ name: "SocketError", message: "other side closed", code: "UND_ERR_SOCKET" }, text);
}

/** The reason of an aborted signal. In React Native, signals have none. */
export function abortReason({ reason }: AbortSignal): unknown {
  if (reason !== undefined) return reason;
  return failure({ name: "AbortError", message: "This operation was aborted" });
}

/**
 * Refuses members that Node's Request refuses, and those of other runtimes may accept; and a signal that nothing can abort.
 *
 * @throws TypeError that names the member.
 */
export function checkInit({ method, redirect, signal, body, duplex }: RequestInit & { duplex?: unknown }): void {
  if (FORBIDDEN.test(`${method}`)) throw refused(`method: must not be ${method}`);
  if (!REDIRECTS.includes(redirect)) throw refused(`redirect: must be "follow", "manual" or "error"`);
  // By its members, because a test environment may have an AbortSignal of its own.
  if ((signal ?? undefined) !== undefined && !("aborted" in Object(signal)))
    throw refused("signal: must be an AbortSignal");
  if ("getReader" in Object(body) && duplex !== "half") throw refused('duplex: must be "half" for a stream');
}

const FORBIDDEN = /^(connect|trace|track)$/i;
const REDIRECTS: readonly unknown[] = [undefined, "follow", "manual", "error"];

function refused(problem: string): TypeError {
  return new TypeError(`fetch failed: ${problem}`);
}

/** The only values with which Node's `fetch` sends these headers. Other runtimes omit them, or send any value. */
const SENT: Readonly<Record<string, RegExp>> = {
  connection: /^(close|keep-alive)$/i,
  "content-length": /^[+-]?\d/,
  expect: /^$./,
  "keep-alive": /^$./,
  "transfer-encoding": /^$./,
  upgrade: /^$./,
};
const NAMES = Object.keys(SENT);

/**
 * Refuses a request with headers that Node's `fetch` does not send.
 *
 * @throws TypeError, as Node's `fetch` does.
 */
export function checkHeaders({ headers, body }: ServiceRequest, maxBodyBytes: number): void {
  for (const name of NAMES) {
    const value = headers.get(name) ?? undefined;
    if (value === undefined) continue;
    if (name === "expect") throw notSent("NotSupported", "NOT_SUPPORTED", "expect header not supported");
    if (!SENT[name]?.test(value)) throw notSent("InvalidArgument", "INVALID_ARG", `invalid ${name} header`);
    if (name === "content-length") checkLength(Number.parseInt(value, 10), body, maxBodyBytes);
  }
}

function checkLength(declared: number, body: string | Uint8Array, maxBodyBytes: number): void {
  const { length } = typeof body === "string" ? new TextEncoder().encode(body) : body;
  // Node sends a request without a body even if it declares one. Of a longer body, only the beginning was read.
  if (length === 0 || length > maxBodyBytes || length === declared) return;
  const message = "Request body length does not match content-length header";
  throw notSent("RequestContentLengthMismatch", "REQ_CONTENT_LENGTH_MISMATCH", message);
}

function notSent(name: string, code: string, message: string): TypeError {
  return failed({ name: `${name}Error`, code: `UND_ERR_${code}`, message });
}

interface Fields {
  readonly message: string;
  readonly [field: string]: unknown;
}

function failed(fields: Fields, text = "fetch failed"): TypeError {
  return new TypeError(text, { cause: failure(fields) });
}

function failure({ message, ...fields }: Fields): Error {
  return Object.assign(new Error(message), fields);
}

import type { ServiceRequest } from "../service/request.ts";
import { notSent } from "./network-errors.ts";

/** The only values with which Node's `fetch` sends these headers. Other runtimes omit them, or send any value. */
const ACCEPTED: Readonly<Record<string, RegExp>> = {
  connection: /^(close|keep-alive)$/i,
  "content-length": /^\d+$/,
  expect: /^$./,
  "keep-alive": /^$./,
  "transfer-encoding": /^$./,
  upgrade: /^$./,
};
const names = Object.keys(ACCEPTED);

/**
 * Refuses a request with headers that Node's `fetch` does not send.
 *
 * @throws TypeError, as Node's `fetch` does.
 */
export function checkHeaders({ headers, body }: ServiceRequest, maxBodyBytes: number): void {
  for (const name of names) {
    const value = headers.get(name) ?? undefined;
    if (value === undefined || ACCEPTED[name]?.test(value)) continue;
    if (name === "expect") throw notSent("NotSupportedError", "UND_ERR_NOT_SUPPORTED", "expect header not supported");
    throw notSent("InvalidArgumentError", "UND_ERR_INVALID_ARG", `invalid ${name} header`);
  }
  const declared = headers.get("content-length") ?? undefined;
  if (declared === undefined) return;
  const { length } = typeof body === "string" ? new TextEncoder().encode(body) : body;
  // Node sends a request without a body whatever it declares. Of a longer body, only the beginning was read.
  if (length === 0 || length > maxBodyBytes || length === Number(declared)) return;
  const code = "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH";
  const message = "Request body length does not match content-length header";
  throw notSent("RequestContentLengthMismatchError", code, message);
}

const REDIRECTS: readonly unknown[] = [undefined, "follow", "manual", "error"];

/**
 * Refuses members that Node's Request refuses, and those of other runtimes may accept; and a signal that nothing can abort.
 *
 * @throws TypeError that names the member.
 */
export function checkInit({ method, redirect, signal, body, duplex }: RequestInit & { duplex?: unknown }): void {
  if (/^(connect|trace|track)$/i.test(`${method}`)) throw refused(`method: must not be ${method}`);
  if (!REDIRECTS.includes(redirect)) throw refused(`redirect: must be "follow", "manual" or "error"`);
  // By its members, because a test environment may have an AbortSignal of its own.
  if (!isAbsent(signal) && !("aborted" in Object(signal))) throw refused("signal: must be an AbortSignal");
  if ("getReader" in Object(body) && duplex !== "half") throw refused('duplex: must be "half" for a stream');
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function refused(problem: string): TypeError {
  return new TypeError(`fetch failed: ${problem}`);
}

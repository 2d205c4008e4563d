import { withoutBrackets } from "../../src/checks/http/base-url.ts";

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
 * Refuses a method and a body that Node's Request refuses, and those of other runtimes may accept.
 *
 * @throws TypeError that names the member.
 */
export function checkInit({ method, body, duplex }: RequestInit & { duplex?: unknown }): void {
  if (FORBIDDEN.test(`${method}`)) throw new TypeError(`fetch failed: method: must not be ${method}`);
  if (!("getReader" in Object(body)) || duplex === "half") return;
  throw new TypeError('fetch failed: duplex: must be "half" for a stream');
}

const FORBIDDEN = /^(connect|trace|track)$/i;

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

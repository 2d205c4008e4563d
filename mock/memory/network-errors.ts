import { withoutBrackets } from "../../src/checks/http/base-url.ts";

/** Network errors as Node's own fetch reports them, so that a client classifies them as it would on a real socket. */

/** No server listens. */
export function connectionRefused(baseUrl: string): TypeError {
  const { hostname, port: explicit, protocol } = new URL(baseUrl);
  const address = withoutBrackets(hostname);
  const port = Number(explicit) || (protocol === "https:" ? 443 : 80);
  const message = `connect ECONNREFUSED ${address}:${port}`;
  return failed({ message, code: "ECONNREFUSED", errno: -111, syscall: "connect", address, port });
}

/** The connection is reset. */
export function connectionReset(): TypeError {
  return failed({ message: "read ECONNRESET", code: "ECONNRESET", errno: -104, syscall: "read" });
}

/** The connection is closed before the response. */
export function otherSideClosed(): TypeError {
  return failed({ name: "SocketError", message: "other side closed", code: "UND_ERR_SOCKET" });
}

/** The connection is closed during the response body. */
export function terminated(): TypeError {
  return failed({ name: "SocketError", message: "other side closed", code: "UND_ERR_SOCKET" }, "terminated");
}

/** The request cannot be sent. */
export function notSent(name: string, code: string, message: string): TypeError {
  return failed({ name, code, message });
}

/** The reason of an aborted signal. In React Native, signals have none. */
export function abortReason({ reason }: AbortSignal): unknown {
  if (reason !== undefined) return reason;
  return failure({ name: "AbortError", message: "This operation was aborted" });
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

/**
 * What a failed `fetch` proves about the request.
 *
 * - `unsent`: it was not sent, and a retry may succeed (connection refused, no route, unknown host).
 * - `unsendable`: it was not sent, and a retry would fail too (an untrusted certificate, a proxy that wants a password).
 * - `nothing`: the service may have received it.
 */
export type Proof = "unsent" | "unsendable" | "nothing";

/** The fields of an error that say what happened, in any runtime. */
export interface NetworkError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly hostname?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

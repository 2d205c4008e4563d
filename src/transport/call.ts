import type { Result } from "../contract/schema.ts";
import type { ApiFetch, ApiReply } from "./api.ts";
import type { AttemptLog } from "./attempts.ts";
import type { TokenSource } from "./authorize.ts";
import type { Clock } from "./clock.ts";
import type { RetryPolicy } from "./result.ts";

/**
 * What sends the request: the global `fetch`, or one with its signature.
 *
 * It is called with a URL and an `init` of method, headers, body, signal and `redirect: "manual"`.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One call of an operation, as the steps of the transport see it. */
export interface Call<Output> {
  /** Builds the request, gives it to `fetch`, and parses the reply. */
  readonly issue: (fetch: ApiFetch) => Promise<ApiReply>;
  readonly validateOutput: (body: unknown) => Result<Output>;
  readonly isRepeatable: boolean;
  /** `undefined` for the global one. */
  readonly fetch: Fetch | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxResponseBytes: number;
  readonly tokens: TokenSource;
  readonly retry: RetryPolicy;
  readonly maxRetries: number;
  readonly log: AttemptLog;
  readonly clock: Clock;
}

import { identifyClient, originOf, orSet, portProblem, readVariable } from "#platform";
import { signalProblem } from "./call/abort.ts";
import { type Clock, clockProblem, systemClock } from "./call/clock.ts";
import { headersProblem, readHeaders } from "./call/request-headers.ts";
import type { FetchLike, RetryPolicy, Settings } from "./call/settings.ts";
import { fixedToken, ProvidedTokens, type TokenProvider, type TokenSource } from "./call/tokens.ts";
import { baseUrlProblem, isInsecure, normalizeBaseUrl } from "./checks/http/base-url.ts";
import { tokenProblem } from "./checks/http/header-rules.ts";
import { hasFields } from "./checks/objects.ts";
import { boolean, callable, integer, MAX_TIMER_MS, mustBe, oneOf, type Rule, type Rules } from "./checks/rules.ts";
import { checkOptions, configError } from "./config-error.ts";
import { MEDIA_TYPES } from "./contract/encode-new-plant.ts";
import type { Attempt } from "./errors.ts";

/** Options of a client, the most used first. Passing `undefined` equals omitting the option. */
export interface PlantStoreClientOptions {
  /**
   * URL of the service, to which the client appends `/plants`: https, or http with a loopback host. It may have a path;
   * trailing slashes are ignored.
   *
   * @defaultValue the environment variable `PLANT_STORE_BASE_URL`, except in browsers
   */
  baseUrl?: string | URL | undefined;
  /**
   * Bearer token, without `Bearer`, or a function that returns one for each call.
   *
   * @defaultValue the environment variable `PLANT_STORE_TOKEN`, except in browsers
   */
  token?: string | TokenProvider | undefined;
  /**
   * Deadline of a whole call in milliseconds: token, attempts, waits and bodies. 1 to 2,147,483,647. The `fetch` of Node
   * and Bun gives up after five or six minutes without data, even if it is longer.
   *
   * @defaultValue 30_000; for a call, the client's
   */
  timeoutMs?: number | undefined;
  /**
   * The maximum number of attempts after the first, 0 to 1,000. The attempt with a new token after a 401 does not count.
   *
   * @defaultValue 2; for a call, the client's
   */
  maxRetries?: number | undefined;
  /**
   * When a request is retried: with `safe`, only if the service has not processed it; with `idempotent`, also if it may
   * have processed it.
   *
   * @defaultValue `"safe"`; for a call, the client's
   */
  retry?: RetryPolicy | undefined;
  /**
   * Headers to add to each request; those of a call override the client's. Authorization (use `token`), Content-Type, and
   * headers that the transport sets (Content-Length, Transfer-Encoding, Connection, Keep-Alive, Expect, Upgrade) are
   * rejected.
   *
   * @defaultValue `{}`
   */
  headers?: Record<string, string | undefined> | undefined;
  /**
   * Called after each attempt, when the client has decided whether to retry: the client's observer, then that of the call.
   * Errors that it throws are ignored.
   *
   * @defaultValue no observer
   */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
  /**
   * The function that sends a request. It must neither follow redirects nor retry.
   *
   * @defaultValue the global `fetch`, looked up for each request
   */
  fetch?: FetchLike | undefined;
  /**
   * The wait before a retry, in addition to Retry-After. A Retry-After above 60 seconds ends the call instead.
   *
   * @defaultValue `{ initialMs: 500, maxMs: 8_000 }`
   */
  backoff?: BackoffOptions | undefined;
  /**
   * The maximum size of a response body in bytes, 1 or more; of one that can only be read as a whole text, as in React
   * Native, in characters. A longer one is not decoded.
   *
   * @defaultValue 1_048_576 (1 MiB)
   */
  maxResponseBytes?: number | undefined;
  /**
   * Whether the token may be sent over plain http to another machine, although others on the way can read it. If not, an
   * http URL must have a loopback host (RFC 6750, section 5.3).
   *
   * @defaultValue true if the environment variable `PLANT_STORE_ALLOW_INSECURE` is `1` (except in browsers), else false
   */
  allowInsecure?: boolean | undefined;
  /**
   * The source of time and randomness, for tests.
   *
   * @defaultValue the runtime's clock
   */
  clock?: Clock | undefined;
}

/** Options of one call. If one is absent, the client's applies. */
export interface CreatePlantOptions
  extends Pick<PlantStoreClientOptions, "timeoutMs" | "maxRetries" | "retry" | "headers" | "onAttempt"> {
  /**
   * Aborts the call, even during a wait: it fails with a {@link PlantStoreAbortError}, whose `cause` is the signal's reason.
   *
   * @defaultValue no signal: only the deadline ends the call
   */
  signal?: AbortSignal | undefined;
}

/** The wait before a retry: a random time up to a limit, which starts at `initialMs` and doubles with each retry. */
export interface BackoffOptions {
  /**
   * The longest wait before the first retry, in milliseconds, 0 to 2,147,483,647. 0 retries at once, for tests.
   *
   * @defaultValue 500
   */
  initialMs?: number | undefined;
  /**
   * The longest wait before any retry, in milliseconds, 0 to 2,147,483,647.
   *
   * @defaultValue 8_000
   */
  maxMs?: number | undefined;
}

const SHARED_RULES: Rules<Omit<CreatePlantOptions, "signal">> = {
  timeoutMs: /* @__PURE__ */ integer(1, MAX_TIMER_MS),
  maxRetries: /* @__PURE__ */ integer(0, 1_000),
  retry: /* @__PURE__ */ oneOf("safe", "idempotent"),
  headers: headersProblem,
  onAttempt: callable,
};

const CALL_RULES: Rules<CreatePlantOptions> = { ...SHARED_RULES, signal: signalProblem };

const CLIENT_RULES: Rules<PlantStoreClientOptions> = {
  baseUrl: baseUrlProblem,
  token: (value) => (typeof value === "function" ? undefined : tokenProblem(value)),
  ...SHARED_RULES,
  fetch: callable,
  backoff: /* @__PURE__ */ mustBe("an object", hasFields),
  maxResponseBytes: /* @__PURE__ */ integer(1),
  allowInsecure: boolean,
  clock: clockProblem,
};

const BACKOFF_RULES: Rules<BackoffOptions> = {
  initialMs: /* @__PURE__ */ integer(0, MAX_TIMER_MS),
  maxMs: /* @__PURE__ */ integer(0, MAX_TIMER_MS),
};

/**
 * Checks a client's options and fills in defaults.
 *
 * @throws A {@link PlantStoreConfigError} that names the option and the rule.
 */
export function readClientOptions(given: PlantStoreClientOptions): Settings {
  const options = checkOptions(given, CLIENT_RULES);
  const { timeoutMs = 30_000, maxRetries = 2, retry = "safe", maxResponseBytes = 1_048_576, backoff = {} } = options;
  const { initialMs = 500, maxMs = 8_000 } = checkOptions(backoff, BACKOFF_RULES, "backoff");
  return {
    tokens: readToken(options),
    baseUrl: readBaseUrl(options),
    timeoutMs,
    maxRetries,
    retry,
    signal: undefined,
    headers: { ...MEDIA_TYPES, ...identifyClient(), ...readHeaders(options.headers) },
    fetch: options.fetch,
    observers: options.onAttempt ? [options.onAttempt] : [],
    maxResponseBytes,
    backoff: { initialMs, maxMs },
    clock: options.clock ?? systemClock,
  };
}

/**
 * Checks the options of one call, which override the client's.
 *
 * @throws A {@link PlantStoreConfigError} that names the option and the rule.
 */
export function readCallOptions(given: CreatePlantOptions, settings: Settings): Settings {
  const options = checkOptions(given, CALL_RULES);
  return {
    ...settings,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    maxRetries: options.maxRetries ?? settings.maxRetries,
    retry: options.retry ?? settings.retry,
    observers: options.onAttempt ? [...settings.observers, options.onAttempt] : settings.observers,
    headers:
      options.headers === undefined ? settings.headers : { ...settings.headers, ...readHeaders(options.headers) },
  };
}

function readToken({ token }: PlantStoreClientOptions): TokenSource {
  if (typeof token === "function") return new ProvidedTokens(token);
  return fixedToken(token ?? fromEnvironment("token", tokenProblem));
}

function readBaseUrl({ baseUrl: given, fetch, allowInsecure }: PlantStoreClientOptions): string {
  const baseUrl = normalizeBaseUrl(given ?? fromEnvironment("baseUrl", baseUrlProblem));
  let problem: string | undefined;
  if (isInsecure(baseUrl) && !(allowInsecure ?? readVariable("allowInsecure") === "1")) {
    const advice = `in a network that you trust, set allowInsecure: true${orSet("allowInsecure", "=1")}`;
    problem = `must begin with https://, or others can read the token on the way; ${advice}`;
  } else if (fetch === undefined) {
    // An application's own `fetch` may use any port.
    problem = portProblem(baseUrl);
  }
  if (problem) throw configError("baseUrl", given === undefined ? originOf("baseUrl") + problem : problem);
  return baseUrl;
}

function fromEnvironment(option: "baseUrl" | "token", rule: Rule): string {
  const value = readVariable(option);
  if (value === undefined) throw configError(option, `is missing: pass it${orSet(option)}`);
  const problem = rule(value);
  if (problem) throw configError(option, originOf(option) + problem);
  return value;
}

/**
 * Rejects a call if there is no `fetch`, or no class to read a response with: Jest's jsdom environment has no TextDecoder.
 * Checked for each call, because a polyfill may define them after the client was created.
 */
export function checkFetch(fetch: FetchLike | undefined): void {
  if (fetch === undefined && typeof globalThis.fetch !== "function") {
    throw configError("fetch", "is missing: pass it, because this runtime has no global fetch");
  }
  const needed = fetch === undefined ? "TextDecoder" : "Headers";
  if (!("Headers" in globalThis && needed in globalThis)) {
    throw configError("fetch", `needs the global ${needed}: load a polyfill, or in Jest use jest-fixed-jsdom`);
  }
}

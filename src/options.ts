import { readBaseUrl } from "./contract/base-url.ts";
import { headerName, headerValue } from "./contract/header-rules.ts";
import { readOptions } from "./contract/options.ts";
import { integer, MAX_TIMER_MS, type Rule } from "./contract/rules.ts";
import { isRecord } from "./contract/schema.ts";
import { tokenProblem } from "./contract/token.ts";
import { isBrowser, readVariable } from "./environment.ts";
import { type Attempt, PlantStoreConfigError } from "./errors.ts";
import { FixedToken, SharedProvider, type TokenProvider } from "./transport/authorize.ts";
import type { CallSettings, ClientSettings, Fetch } from "./transport/call.ts";
import type { RetryPolicy } from "./transport/result.ts";
import { VERSION } from "./version.ts";

/** Options of one call; each goes before that of the client. */
export interface CreatePlantOptions {
  /** Ends the call, waits included. `createPlant` then rejects with its reason. */
  signal?: AbortSignal | undefined;
  /**
   * Deadline of the whole call in milliseconds: token, attempts, waits and bodies. 1 to 2,147,483,647.
   *
   * @defaultValue the client's
   */
  timeoutMs?: number | undefined;
  /** How many attempts may follow the first; 0 to 1,000. */
  maxRetries?: number | undefined;
  /** When a POST may be sent again. */
  retry?: RetryPolicy | undefined;
  /** Headers to add, or to send instead of the client's. Authorization and Content-Type are refused. */
  headers?: Record<string, string> | undefined;
}

/** Options of {@link createPlants}. */
export interface CreatePlantsOptions {
  /**
   * How many plants may be in flight, or settled and not yet taken by the consumer, at once.
   *
   * @defaultValue 16
   */
  concurrency?: number | undefined;
  /** Stops the pulling, and aborts what is in flight. */
  signal?: AbortSignal | undefined;
  /**
   * How long the service may refuse every request (429, or its own 503) before the run ends, in milliseconds;
   * `Infinity` for as long as it takes. A Retry-After beyond it ends the run at once.
   *
   * @defaultValue 600_000 (ten minutes)
   */
  maxWaitMs?: number | undefined;
  /** Called when the run pauses, resumes or changes its pace. What it throws is swallowed. */
  onPace?: ((pace: CreatePlantsPace) => void) | undefined;
}

/** How fast {@link createPlants} sends at present. */
export interface CreatePlantsPace {
  /** When the pause ends, in milliseconds since the epoch; undefined while requests are sent. */
  readonly pausedUntil: number | undefined;
  /** At most so many requests start per second; undefined as long as the service has not refused any. */
  readonly ratePerSecond: number | undefined;
  /** At most so many requests are in flight; never more than `concurrency`. */
  readonly window: number;
}

/** Options of a client. `undefined` means absent. */
export interface PlantStoreClientOptions {
  /**
   * Address of the service, http or https; a path is kept, slashes at its end do not matter.
   *
   * @defaultValue the environment's `PLANT_STORE_BASE_URL`, not in browsers
   */
  baseUrl?: string | URL | undefined;
  /**
   * Bearer token, or what gives one.
   *
   * @defaultValue the environment's `PLANT_STORE_TOKEN`, not in browsers
   */
  token?: string | TokenProvider | undefined;
  /**
   * Deadline of a whole call in milliseconds: token, attempts, waits and bodies. 1 to 2,147,483,647.
   *
   * @defaultValue 30_000
   */
  timeoutMs?: number | undefined;
  /**
   * How many attempts may follow the first. A new token after a 401 does not count.
   *
   * @defaultValue 2
   */
  maxRetries?: number | undefined;
  /**
   * When a POST may be sent again.
   *
   * @defaultValue "safe"
   */
  retry?: RetryPolicy | undefined;
  /** Headers to add to each request. Authorization and Content-Type are refused. */
  headers?: Record<string, string> | undefined;
  /**
   * What sends the request.
   *
   * @defaultValue the global `fetch`, looked up at each call
   */
  fetch?: Fetch | undefined;
  /** Called after each attempt, once it is decided whether another follows. What it throws is swallowed. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
  /**
   * The longest body that is read, in bytes.
   *
   * @defaultValue 1_048_576 (1 MiB)
   */
  maxResponseBytes?: number | undefined;
}

/** A client's options, checked, with every default in its place. */
export interface Settings extends CallSettings, ClientSettings {
  readonly onAttempt: ((attempt: Attempt) => void) | undefined;
}

type Rules<Options> = { readonly [Name in keyof Required<Options>]: Rule };

const callable: Rule = (value) => (typeof value === "function" ? undefined : "must be a function");
const duration: Rule = (value) =>
  typeof value === "number" && value >= 0 ? undefined : "must be a number of milliseconds from 0, or Infinity";
const signal: Rule = (value) => (isSignal(value) ? undefined : "must be an AbortSignal");

const SHARED_RULES: Rules<Omit<CreatePlantOptions, "signal">> = {
  timeoutMs: /* @__PURE__ */ integer(1, MAX_TIMER_MS),
  maxRetries: /* @__PURE__ */ integer(0, 1_000),
  retry: (value) => (value === "safe" || value === "idempotent" ? undefined : 'must be "safe" or "idempotent"'),
  headers: (value) => (isPlain(value) ? undefined : "must be an object of names and values"),
};

const CALL_RULES: Rules<CreatePlantOptions> = {
  ...SHARED_RULES,
  signal,
};

const CLIENT_RULES: Rules<PlantStoreClientOptions> = {
  ...SHARED_RULES,
  baseUrl: () => undefined, // Read below, with the one from the environment.
  token: (value) => (typeof value === "function" ? undefined : tokenProblem(value)),
  fetch: callable,
  onAttempt: callable,
  maxResponseBytes: /* @__PURE__ */ integer(1),
};

/**
 * Checks a client's options and fills in what is absent.
 *
 * @throws {@link PlantStoreConfigError} that names the option and the rule.
 */
export function readClientOptions(given: PlantStoreClientOptions): Settings {
  const options = read(given, CLIENT_RULES);
  const token = options.token ?? fromEnvironment("token", "PLANT_STORE_TOKEN");
  if (typeof token === "string") throwIfProblem("token", tokenProblem(token));
  return {
    baseUrl: checkBaseUrl(
      options.baseUrl === undefined ? fromEnvironment("baseUrl", "PLANT_STORE_BASE_URL") : options.baseUrl,
    ),
    tokens: typeof token === "string" ? new FixedToken(token) : new SharedProvider(token),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 2,
    retry: options.retry ?? "safe",
    // Browsers would ask the server's leave for it (CORS), and send their own anyway.
    headers: {
      ...(isBrowser() ? undefined : { "user-agent": `plant-store-client/${VERSION}` }),
      ...readHeaders(options.headers),
    },
    fetch: options.fetch,
    onAttempt: options.onAttempt,
    maxResponseBytes: options.maxResponseBytes ?? 1_048_576,
  };
}

/**
 * Checks the options of one call, and puts them in the place of the client's.
 *
 * @throws {@link PlantStoreConfigError} that names the option and the rule.
 */
export function readCallOptions(given: CreatePlantOptions, settings: CallSettings): CallSettings {
  const options = read(given, CALL_RULES);
  return {
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    maxRetries: options.maxRetries ?? settings.maxRetries,
    retry: options.retry ?? settings.retry,
    headers: options.headers ? { ...settings.headers, ...readHeaders(options.headers) } : settings.headers,
  };
}

/**
 * Checks the options of {@link createPlants}.
 *
 * @throws {@link PlantStoreConfigError} that names the option and the rule.
 */
export function readCreatePlantsOptions(given: CreatePlantsOptions): CreatePlantsOptions {
  return read(given, { concurrency: integer(1), signal, maxWaitMs: duration, onPace: callable });
}

/** Reads each option once, so that what was checked is what is used. */
function read<Options extends object>(given: Options, rules: Rules<Options>): Options {
  const names = Object.keys(rules) as (keyof Options & string)[];
  const { options, problem } = readOptions<Options>(given, names);
  if (problem) throw new PlantStoreConfigError(problem);
  for (const name of names) {
    if (options[name] !== undefined) throwIfProblem(name, rules[name](options[name]));
  }
  return options;
}

/** Checks headers, and puts their names into lower case, so that those of a call override the client's. */
function readHeaders(headers: Record<string, string> = {}): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    throwIfProblem(`headers.${name}`, headerName(name) ?? RESERVED.get(key) ?? headerValue(value));
    read[key] = value;
  }
  return read;
}

/** Headers that only the client sets. */
const RESERVED: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["authorization", "would replace the bearer token: use the token option"],
  ["content-type", "would replace application/json, the type of the body"],
]);

function checkBaseUrl(value: unknown): string {
  const read = readBaseUrl(value);
  if ("problem" in read) throw configError("baseUrl", read.problem);
  return read.baseUrl;
}

function fromEnvironment(option: string, variable: string): string {
  const value = readVariable(variable);
  if (value !== undefined) return value;
  throw configError(option, `is missing: pass it${isBrowser() ? "" : `, or set ${variable}`}`);
}

function throwIfProblem(option: string, problem: string | undefined): void {
  if (problem !== undefined) throw configError(option, problem);
}

function configError(option: string, problem: string): PlantStoreConfigError {
  return new PlantStoreConfigError({ option, message: `${option} ${problem}` });
}

/** Not a Headers or a Map, whose entries are no properties; an object of another realm counts. */
function isPlain(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isSignal(value: unknown): boolean {
  return isRecord(value) && typeof value.aborted === "boolean" && typeof value.addEventListener === "function";
}

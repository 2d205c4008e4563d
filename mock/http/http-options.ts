import { portProblem, withoutBrackets } from "../../src/checks/base-url.ts";
import { describe } from "../../src/checks/describe.ts";
import { tokenProblem } from "../../src/checks/header-rules.ts";
import { boolean, checkedLater, integer, MAX_TIMER_MS, mustBe, type Rules } from "../../src/checks/rules.ts";
import { checkOptions } from "../service/check-options.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import { mockRules, type ResolvedOptions, resolveOptions } from "../service/resolve-options.ts";
import { bracketed, type GuardOptions } from "./control/guard.ts";

/** Options of the HTTP mock: those of every mock, and those of its server. The advanced ones come last. */
export interface StartMockPlantStoreOptions extends Omit<MockPlantStoreOptions, "baseUrl"> {
  /**
   * The port to listen on; 0 chooses a free one.
   *
   * @defaultValue 0
   */
  port?: number | undefined;
  /**
   * The host name or address to listen on.
   *
   * @defaultValue `"127.0.0.1"`
   */
  host?: string | undefined;
  /**
   * The path in front of `/plants`, e.g. `"/v1"`.
   *
   * @defaultValue `""`
   */
  basePath?: string | undefined;
  /**
   * Whether web pages of other origins may call the service. The control API always rejects them.
   *
   * @defaultValue `false`
   */
  cors?: boolean | undefined;
  /**
   * A bearer token that control calls must carry.
   *
   * @defaultValue no token
   */
  controlToken?: string | undefined;
  /**
   * Additional host names that control calls may use, e.g. the name of a container. Loopback names and `host` are
   * always accepted.
   *
   * @defaultValue `[]`
   */
  allowHosts?: readonly string[] | undefined;
  /**
   * Advanced: whether the control API works without a control token even if `host` is not a loopback address. Everyone who can
   * reach the mock can then control it.
   *
   * @defaultValue `false`: without a control token, such a mock turns the control API off
   */
  insecureControl?: boolean | undefined;
  /**
   * Advanced: limits that keep one client from blocking the others.
   *
   * @defaultValue the default of each limit
   */
  limits?: HttpLimits | undefined;
}

/** Limits that keep one client from blocking the others. */
export interface HttpLimits {
  /**
   * How many connections may be open at once. At the limit, the server closes those that are idle after a request; on a
   * connection above it, it returns 503. Eight more are for control calls; a connection above those is dropped.
   *
   * @defaultValue 1000
   */
  maxConnections?: number | undefined;
  /**
   * The maximum size of a request's headers, including the request line, in bytes. Above it, the server returns 431.
   *
   * @defaultValue 16,384 (16 KiB)
   */
  maxHeaderBytes?: number | undefined;
  /**
   * How long a client may take to send a request, in milliseconds; the headers must arrive within half of that time.
   * After that, the server returns 408.
   *
   * @defaultValue 30,000 (30 s)
   */
  requestTimeoutMs?: number | undefined;
}

/** The checked options, with every default filled in. */
export interface ResolvedHttpOptions {
  readonly port: number;
  readonly host: string;
  readonly basePath: string;
  readonly cors: boolean;
  readonly guard: GuardOptions;
  readonly limits: Limits;
  /** The options of the mock itself; its base URL depends on the actual port. */
  readonly mock: Omit<ResolvedOptions, "baseUrl">;
}

type Limits = { readonly [Name in keyof HttpLimits]-?: number };

const { baseUrl: _baseUrl, ...sharedRules } = mockRules;

const rules: Rules<StartMockPlantStoreOptions> = {
  port: (value) => {
    const problem = integer(0, 65_535)(value);
    if (problem !== undefined || portProblem(`http://localhost:${value}`) === undefined) return problem;
    return `must not be ${value}: fetch and browsers block it; choose another port (0 for a free one)`;
  },
  host: mustBe(
    "a host name or an address",
    (value) => typeof value === "string" && !/[/?#@\\]/.test(value) && URL.canParse(`http://${authority(value)}`),
  ),
  basePath: (value) =>
    typeof value === "string" &&
    BASE_PATH.test(value) &&
    !value.includes("//") &&
    !/^\/_mock(\/|$)/.test(new URL(value, "http://localhost").pathname)
      ? undefined
      : `must be a path such as /v1, without a query, and not /_mock, the control API's; received ${describe(value)}`,
  ...sharedRules,
  cors: boolean,
  controlToken: tokenProblem,
  allowHosts: (value) => {
    if (!Array.isArray(value)) return `must be an array of host names; received ${describe(value)}`;
    if (value.every(isHostName)) return undefined;
    const wrong = value.find((name) => !isHostName(name));
    return `must be host names without a scheme or port, such as mock.test; received ${describe(wrong)}`;
  },
  insecureControl: boolean,
  limits: checkedLater,
};

/** The names of the options. */
export const optionNames: readonly string[] = Object.keys(rules);

const isHostName = (name: unknown) => typeof name === "string" && HOST.test(name);

const HOST = /^(?:[\w.-]+|[\da-f]*:[\da-f]*:[\da-f:.]*)$/i;

const BASE_PATH = /^(\/[\w.~%!$&'()*+,;=:@/-]*)?$/;

const limitRules: Rules<HttpLimits> = {
  maxConnections: integer(1, MAX_TIMER_MS),
  maxHeaderBytes: integer(256, MAX_TIMER_MS),
  requestTimeoutMs: integer(1, MAX_TIMER_MS),
};

/**
 * Checks the options of the HTTP mock.
 *
 * @throws TypeError that names the option, the rule and the fix.
 */
export function resolveHttpOptions(given: StartMockPlantStoreOptions): ResolvedHttpOptions {
  if (Object.hasOwn(Object(given), "baseUrl")) {
    throw new TypeError("baseUrl: the HTTP mock derives it from host, port and basePath; set those instead");
  }
  const options = checkOptions(given, rules);
  const { port = 0, host = "127.0.0.1", basePath = "", cors = false, limits, ...others } = options;
  const { controlToken, allowHosts = [], insecureControl = false, ...mock } = others;
  // The usual form of an address: 127.0.0.1 for 127.1, and ::1 for 0:0:0:0:0:0:0:1.
  const canonicalHost = withoutBrackets(new URL(`http://${bracketed(host)}`).hostname);
  const guard = { host: canonicalHost, controlToken, allowHosts, insecureControl };
  return {
    port,
    host: canonicalHost,
    basePath,
    cors,
    guard,
    limits: resolveLimits(limits),
    mock: resolveOptions(mock),
  };
}

/** The host as it appears in URLs: the loopback address if the server listens on all addresses. */
export function authority(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return bracketed(host);
}

function resolveLimits(given: HttpLimits | undefined): Limits {
  const options = checkOptions(given, limitRules, { within: "limits" });
  const { maxConnections = 1000, maxHeaderBytes = 16_384, requestTimeoutMs = 30_000 } = options;
  return { maxConnections, maxHeaderBytes, requestTimeoutMs };
}

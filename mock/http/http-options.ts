import { describe } from "../../src/checks/describe.ts";
import { portProblem, withoutBrackets } from "../../src/checks/http/base-url.ts";
import { tokenProblem } from "../../src/checks/http/header-rules.ts";
import { boolean, integer, mustBe, type Rules } from "../../src/checks/rules.ts";
import { VIRTUAL_IN_MEMORY_ONLY } from "../memory/fetch.ts";
import { checkOptions } from "../service/check-options.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import { mockRules, resolveOptions } from "../service/resolve-options.ts";
import { bracketed } from "./control/guard.ts";

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
   * @defaultValue no token: the control API works only if `host` is a loopback address
   */
  controlToken?: string | undefined;
}

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
  // Checked before the server listens.
  time: (value) => (value === "virtual" ? VIRTUAL_IN_MEMORY_ONLY : mockRules.time(value)),
  cors: boolean,
  controlToken: tokenProblem,
};

/** The names of the options. */
export const optionNames: readonly string[] = Object.keys(rules);

const BASE_PATH = /^(\/[\w.~%!$&'()*+,;=:@/-]*)?$/;

/**
 * Checks the options of the HTTP mock.
 *
 * @throws TypeError that names the option, the rule and the fix.
 */
export function resolveHttpOptions(given: StartMockPlantStoreOptions) {
  if (Object.hasOwn(Object(given), "baseUrl")) {
    throw new TypeError("baseUrl: the HTTP mock derives it from host, port and basePath; set those instead");
  }
  const options = checkOptions(given, rules);
  const { port = 0, host = "127.0.0.1", basePath = "", cors = false, controlToken, ...mock } = options;
  // The usual form of an address: 127.0.0.1 for 127.1, and ::1 for 0:0:0:0:0:0:0:1.
  const canonicalHost = withoutBrackets(new URL(`http://${bracketed(host)}`).hostname);
  // The base URL of the mock depends on the actual port.
  return { port, host: canonicalHost, basePath, cors, controlToken, mock: resolveOptions(mock) };
}

/** The host as it appears in URLs: the loopback address if the server listens on all addresses. */
export function authority(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return bracketed(host);
}

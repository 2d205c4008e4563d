import type { MockPlantStoreOptions } from "../service/mock-plant-store.ts";
import { checkToken } from "../service/tokens.ts";

/** Options of the HTTP form: those of the mock, and where it listens. */
export interface StartMockPlantStoreOptions extends Omit<MockPlantStoreOptions, "baseUrl" | "outside"> {
  /**
   * The port; 0 takes a free one.
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
   * @defaultValue none
   */
  basePath?: string | undefined;
  /**
   * Whether web pages of other origins may call the service. The control API is never for them.
   *
   * @defaultValue `false`
   */
  cors?: boolean | undefined;
  /**
   * A bearer token that control calls must carry.
   *
   * @defaultValue none is asked for
   */
  controlToken?: string | undefined;
  /** What one client may take of the server. */
  limits?: HttpLimits | undefined;
}

/** What one client may take of the server, so that it does not stop the others. */
export interface HttpLimits {
  /**
   * How many connections may be open at once. Above it, the oldest one that never brought a request gives way, or else
   * the oldest one that is idle; where every one is in use, the new one is closed.
   *
   * @defaultValue 1000
   */
  maxConnections?: number | undefined;
  /**
   * How large the request line and headers together may be, in bytes; 431 above it.
   *
   * @defaultValue 16,384 (16 KiB)
   */
  maxHeaderBytes?: number | undefined;
  /**
   * How long a client may take to send a whole request, in milliseconds; 408 after that. Half of it is for the headers.
   *
   * @defaultValue 30,000 (30 s)
   */
  requestTimeoutMs?: number | undefined;
}

/** The options of the HTTP form itself, checked, with every default filled in. */
export interface HttpChoices {
  readonly port: number;
  readonly host: string;
  readonly basePath: string;
  readonly cors: boolean;
  readonly controlToken: string | undefined;
  readonly limits: { readonly [Name in keyof HttpLimits]-?: number };
}

/** The names of the options that the HTTP form has in addition to those of the mock. */
export const httpOptionNames = ["port", "host", "basePath", "cors", "controlToken", "limits"];

/**
 * Checks the options of the HTTP form.
 *
 * @throws TypeError that names the option, the rule and the fix.
 */
export function readHttpOptions(options: StartMockPlantStoreOptions): HttpChoices {
  const { host = "127.0.0.1", basePath = "", cors = false, controlToken } = options;
  if ("baseUrl" in options) {
    throw new TypeError("baseUrl: is where the mock listens; give host, port and basePath in place of it");
  }
  if (typeof host !== "string" || host === "") throw new TypeError("host: must be a host name or an address");
  if (!/^(\/[\w.~%!$&'()*+,;=:@-]+)*\/?$/.test(basePath) || /^\/_mock(\/|$)/.test(basePath)) {
    throw new TypeError(
      "basePath: must be a path such as /v1, without a query, and not /_mock: the control API is there",
    );
  }
  if (controlToken !== undefined) checkToken(controlToken, "controlToken");
  const { maxConnections, maxHeaderBytes, requestTimeoutMs } = options.limits ?? {};
  return {
    port: integer("port", options.port, 0, 0, 65_535),
    host,
    basePath,
    cors,
    controlToken,
    limits: {
      maxConnections: integer("limits.maxConnections", maxConnections, 1000, 1),
      maxHeaderBytes: integer("limits.maxHeaderBytes", maxHeaderBytes, 16_384, 256),
      requestTimeoutMs: integer("limits.requestTimeoutMs", requestTimeoutMs, 30_000, 1),
    },
  };
}

function integer(
  name: string,
  value: number | undefined,
  otherwise: number,
  least: number,
  most = 2 ** 31 - 1,
): number {
  if (value === undefined) return otherwise;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name}: must be an integer from ${least} to ${most}`);
}

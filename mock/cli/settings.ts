import { boolean, oneOf, type Rule } from "../../src/checks/rules.ts";

/** One setting of the command: a flag, an environment variable, and a key of the configuration file. */
export interface Setting {
  /** The option of `startMockPlantStore`, or of the command itself, that it sets. */
  readonly option: string;
  /** The placeholder of the value in the help; a switch has none. */
  readonly value?: string;
  /** Whether it can be repeated; in the environment, commas separate the values. */
  readonly isList?: boolean;
  /**
   * Converts the text of the value, unless it is a list. Text of another form stays as it is, and is rejected as a value of
   * the option.
   */
  readonly read?: (text: string) => unknown;
  /** The rule of the option, if the mock does not check it. */
  readonly rule?: Rule;
  readonly help: string;
}

/** How requests are logged. */
const LOG_STYLES = ["pretty", "json", "silent"] as const;
export type LogStyle = (typeof LOG_STYLES)[number];

/** Every setting by the name of its flag. Help, environment variables and the table in docs derive from it. */
export const settings: Readonly<Record<string, Setting>> = {
  port: {
    option: "port",
    value: "PORT",
    read: readPort,
    help: "port; 0 chooses a free one (default 4010)",
  },
  host: { option: "host", value: "HOST", help: "host name or address (default 127.0.0.1)" },
  "base-path": { option: "basePath", value: "PATH", help: "path before /plants, such as /v1" },
  token: {
    option: "auth.tokens",
    value: "TOKEN",
    isList: true,
    help: "valid bearer token; can be repeated (default: any token is valid)",
  },
  "duplicate-ids": {
    option: "duplicateIds",
    value: "MODE",
    help: "accept (default) or reject (status 400)",
  },
  "rate-limit": {
    option: "rateLimit",
    value: "LIMIT",
    read: readRateLimit,
    rule: (value) => (typeof value === "string" ? `must have the form 50/s, 100/60s or 8, not "${value}"` : undefined),
    help: "50/s (per second), 100/60s (per window) or 8 (at once); status 429 above it (default: no limit)",
  },
  seed: { option: "seed", value: "FILE", help: "initial plants: .csv, .ndjson, .jsonl or .json" },
  cors: { option: "cors", help: "allow web pages of other origins to call the service" },
  log: {
    option: "log",
    value: "STYLE",
    rule: oneOf(...LOG_STYLES),
    help: "one line per request on standard error: pretty (default on a terminal), json (default elsewhere) or silent",
  },
  "control-token": { option: "controlToken", value: "TOKEN", help: "bearer token required for calls to /_mock/" },
  "allow-host": {
    option: "allowHosts",
    value: "NAME",
    isList: true,
    help: "additional host name for calls to /_mock/; can be repeated",
  },
  "insecure-control": {
    option: "insecureControl",
    help: "allow calls to /_mock/ without a control token even if --host is not a loopback address",
  },
  config: { option: "config", value: "FILE", help: "JSON file with these and all other options" },
  "exit-with-parent": {
    option: "exitWithParent",
    rule: boolean,
    help: "end when the parent process ends, or when standard input closes if it is a pipe",
  },
};

/** The environment variable of a flag: `PLANT_STORE_MOCK_BASE_PATH` for `base-path`. */
export function variableOf(flag: string): string {
  return `PLANT_STORE_MOCK_${flag.toUpperCase().replaceAll("-", "_")}`;
}

function readPort(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function readRateLimit(text: string): unknown {
  const [, count, window, unit] = /^(\d+(?:\.\d+)?)(?:\/(\d+(?:\.\d+)?)?(s))?$/.exec(text) ?? [];
  if (count === undefined) return text;
  if (unit === undefined) return { concurrent: Number(count) };
  return window === undefined ? { perSecond: Number(count) } : { quota: Number(count), windowSeconds: Number(window) };
}

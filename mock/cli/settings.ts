import { boolean, oneOf, type Rule } from "../../src/checks/rules.ts";

/** An invalid flag, environment variable or file. The command exits with status 2. */
export class UsageError extends Error {}

/** One setting of the command: a flag, and a key of the configuration file. */
export interface Setting {
  /** The option of `startMockPlantStore`, or of the command itself, that it sets. */
  readonly option: string;
  /** The placeholder of the value in the help; a switch has none. */
  readonly value?: string;
  /** Whether it can be repeated; in the environment, commas separate the values. */
  readonly isList?: boolean;
  /** Its environment variable, for containers, and for secrets that lists of processes must not show. */
  readonly variable?: string;
  /**
   * Converts the text of the value, unless it is a list. Text of another form stays as it is, and is rejected as a value of
   * the option.
   */
  readonly read?: (text: string) => unknown;
  /** The rule of the option, if the mock does not check it. */
  readonly rule?: Rule;
  readonly help: string;
}

/** Settings by the names of their flags. */
export type Settings = Readonly<Record<string, Setting>>;

/** How requests are logged. */
const LOG_STYLES = ["pretty", "json", "silent"] as const;
export type LogStyle = (typeof LOG_STYLES)[number];

/** Every setting by the name of its flag. Help and the table in docs derive from it. */
export const settings: Settings = {
  port: {
    option: "port",
    value: "PORT",
    variable: "PLANT_STORE_MOCK_PORT",
    read: (text) => (/^\d+$/.test(text) ? Number(text) : text),
    help: "port; 0 chooses a free one (default 4010)",
  },
  host: {
    option: "host",
    value: "HOST",
    variable: "PLANT_STORE_MOCK_HOST",
    help: "host name or address (default 127.0.0.1)",
  },
  token: {
    option: "auth.tokens",
    value: "TOKEN",
    isList: true,
    variable: "PLANT_STORE_MOCK_TOKEN",
    help: "valid bearer token; can be repeated (default: any token is valid)",
  },
  "duplicate-ids": {
    option: "duplicateIds",
    value: "MODE",
    help: "accept (default) or reject (status 400)",
  },
  "initial-plants": {
    option: "initialPlants",
    value: "FILE",
    isList: true,
    help: "initial plants: .ndjson, .jsonl or .json; can be repeated",
  },
  "base-path": { option: "basePath", value: "PATH", help: "path before /plants, such as /v1" },
  cors: { option: "cors", help: "allow web pages of other origins to call the service" },
  "rate-limit": {
    option: "rateLimit",
    value: "LIMIT",
    read: readRateLimit,
    rule: (value) => (typeof value === "string" ? `must have the form 50/s or 100/60s, not "${value}"` : undefined),
    help: "50/s (per second) or 100/60s (per window); status 429 above it (default: no limit)",
  },
  log: {
    option: "log",
    value: "STYLE",
    rule: oneOf(...LOG_STYLES),
    help: "one line per request on standard error: pretty (default on a terminal), json (default elsewhere) or silent",
  },
  config: {
    option: "config",
    value: "FILE",
    variable: "PLANT_STORE_MOCK_CONFIG",
    help: "JSON file with these and all other options",
  },
  "exit-with-parent": {
    option: "exitWithParent",
    rule: boolean,
    help: "end when standard input, if it is a pipe, is at its end, or when the parent process no longer runs",
  },
  "control-token": {
    option: "controlToken",
    value: "TOKEN",
    variable: "PLANT_STORE_MOCK_CONTROL_TOKEN",
    help: "bearer token required for calls to /_mock/; without one, they work only if --host is a loopback address",
  },
};

function readRateLimit(text: string): unknown {
  const [, count, window] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)?s$/.exec(text) ?? [];
  if (count === undefined) return text;
  return window === undefined ? { perSecond: Number(count) } : { quota: Number(count), windowSeconds: Number(window) };
}

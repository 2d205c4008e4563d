/** One setting of the command: a flag, an environment variable, and a key of the configuration file. */
export interface Setting {
  /** The option of `startMockPlantStore`, or of the command itself, that it sets. */
  readonly option: string;
  /** The placeholder of the value in the help; a switch has none. */
  readonly value?: string;
  /** Whether it can be repeated; in the environment, commas separate the values. */
  readonly isList?: boolean;
  readonly read?: ReadValue;
  readonly help: string;
}

/** Reads one value, or returns the rule that the text breaks. */
export type ReadValue = (text: string) => { readonly value: unknown } | { readonly rule: string };

/** How requests are logged. */
export const LOG_STYLES = ["pretty", "json", "silent"] as const;
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
    read: oneOf("accept", "reject"),
    help: "accept (default) or reject (status 400)",
  },
  "rate-limit": {
    option: "rateLimit",
    value: "LIMIT",
    read: readRateLimit,
    help: "50/s (per second), 100/60s (per window) or 8 (at once); status 429 above it (default: no limit)",
  },
  seed: { option: "seed", value: "FILE", help: "initial plants: .csv, .ndjson, .jsonl or .json" },
  cors: { option: "cors", help: "allow web pages of other origins to call the service" },
  log: {
    option: "log",
    value: "STYLE",
    read: oneOf(...LOG_STYLES),
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
    help: "end when the parent process ends, or standard input if it is a pipe",
  },
};

/** The environment variable of a flag: `PLANT_STORE_MOCK_BASE_PATH` for `base-path`. */
export function variableOf(flag: string): string {
  return `PLANT_STORE_MOCK_${flag.toUpperCase().replaceAll("-", "_")}`;
}

function readPort(text: string): ReturnType<ReadValue> {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return { value: Number(text) };
  return { rule: "must be an integer from 0 to 65535 (0 chooses a free one)" };
}

function readRateLimit(text: string): ReturnType<ReadValue> {
  const [, count, window, unit] = /^(\d+(?:\.\d+)?)(?:\/(\d+(?:\.\d+)?)?(s))?$/.exec(text) ?? [];
  if (count === undefined) return { rule: "must have the form 50/s, 100/60s or 8" };
  if (unit === undefined) return { value: { concurrent: Number(count) } };
  return {
    value:
      window === undefined ? { perSecond: Number(count) } : { quota: Number(count), windowSeconds: Number(window) },
  };
}

function oneOf(...values: readonly string[]): ReadValue {
  return (text) => (values.includes(text) ? { value: text } : { rule: `must be ${values.join(" or ")}` });
}

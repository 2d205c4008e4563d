import { parseArgs } from "node:util";
import { nearest } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";

/** What the command line says. */
export interface Flags {
  readonly help: boolean;
  readonly version: boolean;
  readonly port: number;
  readonly host: string | undefined;
  readonly tokens: readonly string[] | undefined;
  readonly duplicateIds: "accept" | "reject" | undefined;
  readonly seed: string | undefined;
  readonly basePath: string | undefined;
  readonly cors: boolean;
  readonly log: LogStyle | undefined;
  readonly controlToken: string | undefined;
  readonly exitWithParent: boolean;
}

/** How a request is logged. */
export type LogStyle = "pretty" | "json" | "silent";

const options = {
  port: { type: "string" },
  host: { type: "string" },
  token: { type: "string", multiple: true },
  "duplicate-ids": { type: "string" },
  seed: { type: "string" },
  "base-path": { type: "string" },
  cors: { type: "boolean" },
  log: { type: "string" },
  "control-token": { type: "string" },
  "exit-with-parent": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/**
 * Reads the command line.
 *
 * @throws {@link UsageError} that names the flag, the rule and the fix.
 */
export function readFlags(argv: readonly string[]): Flags {
  const values = parse(argv);
  return {
    help: values.help ?? false,
    version: values.version ?? false,
    port: readPort(values.port ?? "4010"),
    host: values.host,
    tokens: values.token,
    duplicateIds: oneOf("--duplicate-ids", values["duplicate-ids"], ["accept", "reject"]),
    seed: values.seed,
    basePath: values["base-path"],
    cors: values.cors ?? false,
    log: oneOf("--log", values.log, ["pretty", "json", "silent"]),
    controlToken: values["control-token"],
    exitWithParent: values["exit-with-parent"] ?? false,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException);
  }
}

function explain({ code, message }: NodeJS.ErrnoException): UsageError {
  const subject = message.split("'", 2)[1] as string;
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const flags = Object.keys(options).map((name) => `--${name}`);
    return new UsageError(`${subject}: there is no such flag; did you mean ${nearest(subject, flags)}?`);
  }
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL") {
    return new UsageError(`${subject}: is no flag; a value stands after its flag, such as --port 4010`);
  }
  // The first sentence says what is wrong; the rest is advice on how a dash may begin a value.
  return new UsageError(message.replaceAll("\n", " "));
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError(
    `--port: must be an integer from 0 to 65535 (0 takes a free one); it is ${JSON.stringify(text)}`,
  );
}

function oneOf<Value extends string>(flag: string, value: string | undefined, values: readonly Value[]) {
  if (value === undefined || values.includes(value as Value)) return value as Value | undefined;
  throw new UsageError(`${flag}: must be ${values.join(" or ")}; it is ${JSON.stringify(value)}`);
}
